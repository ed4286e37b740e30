import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

const built = "../quorate/service/static";

/** Lays a packed copy beside every file that is text, so that the service need not pack it for each visitor. */
function packed() {
  return {
    name: "packed",
    closeBundle() {
      if (!existsSync(built)) return;
      for (const name of readdirSync(built, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue;
        const path = join(built, name);
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [packed()],
  build: {
    outDir: built,
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { input: ["index.html", "work.html"] },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { environment: "node", isolate: false, include: ["src/**/*.test.{ts,tsx}"] },
} as Parameters<typeof defineConfig>[0]);
