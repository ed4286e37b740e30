import { describe, expect, it } from "vitest";
import { imageIn, namesIn } from "./archive";

// a/1.png ("one", stored), .hidden.png, and b/2.jpg ("two", 20 times, packed), as Python's zipfile writes them.
const ZIP = [
  "UEsDBBQAAAAAAAAAISjxhmx6AwAAAAMAAAAHAAAAYS8xLnBuZ29uZVBLAwQUAAAAAAAAACEoHyiqZwIAAAACAAAACwAAAC5oaWRk",
  "ZW4ucG5nbm9QSwMEFAAAAAgAAAAhKLS8t0wIAAAAPAAAAAcAAABiLzIuanBnKynPLyEXAQBQSwECFAMUAAAAAAAAACEo8YZsegMA",
  "AAADAAAABwAAAAAAAAAAAAAAgAEAAAAAYS8xLnBuZ1BLAQIUAxQAAAAAAAAAISgfKKpnAgAAAAIAAAALAAAAAAAAAAAAAACAASgA",
  "AAAuaGlkZGVuLnBuZ1BLAQIUAxQAAAAIAAAAISi0vLdMCAAAADwAAAAHAAAAAAAAAAAAAACAAVMAAABiLzIuanBnUEsFBgAAAAAD",
  "AAMAowAAAIAAAAAAAA==",
].join("");

const zip = new Blob([Uint8Array.from(atob(ZIP), (character) => character.charCodeAt(0))]);

describe("an archive", () => {
  it("names what is in it, without what systems hide there", async () => {
    expect(await namesIn(zip)).toEqual(["a/1.png", "b/2.jpg"]);
  });

  it("gives its images one by one, and begins again", async () => {
    const images = await Promise.all([0, 1, 2].map((index) => imageIn(zip, index)));
    expect(images.map((image) => image?.type)).toEqual(["image/png", "image/jpeg", "image/png"]);
    expect(await images[0]?.text()).toBe("one");
    expect(await images[1]?.text()).toBe("two".repeat(20));
  });

  it("that is none has no files", async () => {
    const none = new Blob(["no zip at all"]);
    expect(await namesIn(none)).toBeNull();
    expect(await imageIn(none, 0)).toBeNull();
  });
});
