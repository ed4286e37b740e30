import type { components } from "../schema";

type Models = components["schemas"];

export type Account = Models["Account"];
export type Invitation = Models["Invitation"];
export type LinkPurpose = Models["LinkPurpose"];
export type Member = Models["Member"];
export type Session = Models["Session"];
export type Token = Models["Token"];
