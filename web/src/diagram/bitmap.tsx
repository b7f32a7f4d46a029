// A picture in a diagram: of a library's resources, or written into the text.
import { useEffect, useState } from "react";
import { pictureData } from "../library/pictures";
import type { Box } from "./matrix";

export function Bitmap({ source, box }: { source: string; box: Box }) {
  const [data, setData] = useState(source.startsWith("data:") ? source : "");
  useEffect(() => {
    if (!/^modelica:/i.test(source)) return undefined;
    let left = false;
    void pictureData(source).then((found) => {
      if (!left) setData(found);
    });
    return () => {
      left = true;
    };
  }, [source]);
  return data ? <image href={data} {...box} /> : null;
}
