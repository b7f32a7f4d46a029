// Classes found by words in their names and descriptions.
import type { ClassItem } from "../api/types";
import { inquire } from "../language/client";

/** The best first. */
export async function searchClasses(query: string, limit: number): Promise<ClassItem[]> {
  const { items } = await inquire<unknown, { items: ClassItem[] }>("orrery/search",
    { query, limit });
  return items;
}
