import { render } from "preact";
import "../ui/design.css";
import "./app.css";
import { App } from "./App";
import { followLinks } from "./router";

followLinks();
const page = document.getElementById("page");
if (page) render(<App />, page);
