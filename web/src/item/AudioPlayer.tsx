import { useEffect, useRef } from "preact/hooks";
import { isForPage } from "../ui/is-for-page";

/** An audio player with the controls of the browser; the space bar plays and pauses it. */
export function AudioPlayer({ src, name }: { src: string; name: string }) {
  const player = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const onButton = (event.target as Element | null)?.closest?.("button, a, summary, audio");
      if (event.key !== " " || !isForPage(event) || onButton) return;
      event.preventDefault();
      const audio = player.current;
      if (audio?.paused) audio.play().catch(() => {});
      else audio?.pause();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  // biome-ignore lint/a11y/useMediaCaption: what is heard is what is asked about
  return <audio ref={player} class="item audio" controls preload="auto" src={src} aria-label={name} />;
}
