// Pictures in documentation: put in as data, for a sandboxed page has no cookie
// with which it could fetch them.
import { ask, withQuery } from "../api/client";

function asData(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error("cannot read the picture"));
    reader.readAsDataURL(blob);
  });
}

/** The picture at a modelica:// URI as a data: URL; empty if there is none. */
export async function pictureData(uri: string): Promise<string> {
  try {
    const answer = await ask(withQuery("/api/resource", { uri }));
    return await asData(await answer.blob());
  } catch {
    return "";
  }
}

/** `html` with its pictures of libraries put in, and without scripts. */
export async function withPictures(html: string): Promise<string> {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const script of [...page.querySelectorAll("script")]) script.remove();
  await Promise.all([...page.querySelectorAll("img")].map(async (picture) => {
    const source = picture.getAttribute("src") ?? "";
    const data = /^modelica:/i.test(source) ? await pictureData(source) : "";
    if (data) picture.setAttribute("src", data);
    else picture.replaceWith(picture.getAttribute("alt") ?? "");
  }));
  return page.body.innerHTML;
}
