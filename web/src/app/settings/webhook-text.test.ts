import { describe, expect, it } from "vitest";
import type { Delivery } from "../../api";
import { deliveryText, deliveryTone, kindName, subjectText } from "./webhook-text";

const sent: Delivery = {
  id: 1,
  message_id: "msg_1",
  kind: "item.decided",
  data: { key: "a1", label: "cat" },
  created_at: 1000,
  due_at: 1000,
  tries: 0,
  answer: null,
  delivered_at: null,
};

describe("a delivery", () => {
  it("describes the outcome", () => {
    expect(deliveryText(sent, 1001)).toBe("Pending");
    expect(deliveryText({ ...sent, due_at: null, tries: 1, delivered_at: 1000 }, 1060)).toBe(
      "Delivered 1\u00a0min ago",
    );
    expect(deliveryText({ ...sent, due_at: 1100, tries: 2, answer: "500" }, 1040)).toBe(
      "2 attempts failed; next in 1\u00a0min",
    );
    expect(deliveryText({ ...sent, due_at: null, tries: 9 }, 1001)).toBe("Failed after 9 attempts");
  });

  it("shows trouble as trouble", () => {
    expect(deliveryTone(sent)).toBe("open");
    expect(deliveryTone({ ...sent, tries: 1 })).toBe("bad");
    expect(deliveryTone({ ...sent, delivered_at: 5, due_at: null })).toBe("good");
  });

  it("says what it is about", () => {
    expect(kindName("item.decided")).toBe("Item decided");
    expect(kindName("webhook.ping")).toBe("Test event");
    expect(subjectText(sent)).toContain("a1 · cat · ");
  });
});
