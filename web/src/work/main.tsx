import { render } from "preact";
import "../ui/design.css";
import { Work } from "./Work";

const page = document.getElementById("page");
if (page) render(<Work />, page);
