import { render } from "preact";
import "../design/design.css";
import { Work } from "./Work";

const page = document.getElementById("page");
if (page) render(<Work />, page);
