// Canvases in the pixels of the screen.

/** A cleared canvas of a size on the page, to be drawn on in units of the page. */
export function clearedCanvas(
  canvas: HTMLCanvasElement | null, width: number, height: number,
): CanvasRenderingContext2D | null {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return null;
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
