"""Scripts that watch a page from inside: when something was painted, when it answers, what was loaded."""

# The first item is no answer to a key press. A message that is sent in the frame that changes the page arrives after it
# was painted.
PAINTS = """
window.paintedAfter = [];
const shownItem = () => document.querySelector('.item')?.textContent;
addEventListener('keydown', (event) => {
  if (!/^[1-9]$/.test(event.key)) return;
  const before = shownItem();
  const look = () => {
    const now = shownItem();
    if (now === undefined || now === before) return requestAnimationFrame(look);
    const painted = new MessageChannel();
    painted.port1.onmessage = () => window.paintedAfter.push(performance.now() - event.timeStamp);
    painted.port2.postMessage(0);
  };
  requestAnimationFrame(look);
}, true);
"""

# Since the visit began: something is shown, and three frames in a row came without a pause.
READY = """
window.ready = new Promise((resolve) => {
  let steady = 0, last = 0;
  const look = (now) => {
    const shown = document.querySelector('SELECTOR');
    steady = shown && now - last < 50 ? steady + 1 : 0;
    last = now;
    if (steady >= 3) resolve(now); else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
"""

# Bytes of the page, its scripts and styles, as they came over the network.
LOADED = """
() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter((one) => !one.name.includes('/api/'))
  .reduce((sum, one) => sum + one.encodedBodySize, 0)
"""

FRAMES = """
() => {
  window.frameGaps = [];
  let last = performance.now();
  const frame = (now) => { window.frameGaps.push(now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}
"""
