import type { components } from "../schema";

type Models = components["schemas"];

export type Delivery = Models["DeliveryOut"];
export type NewWebhook = Models["NewWebhook"];
export type Webhook = Models["WebhookOut"];
