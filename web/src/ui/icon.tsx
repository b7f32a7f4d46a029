// Icons of the page's own buttons, drawn on a grid of 16 by strokes.

const paths = {
  model: "M2 5h5v5H2zM10 3h4v4h-4zM10 10h4v3h-4zM7 7.5h1.5V5H10M8.5 7.5v4H10",
  experiments: "M6 2h4M7 2v4L3 13h10L9 6V2M5 10h6",
  results: "M2 2v12h12M4 11l3-4 2.5 2L14 4",
  plan: "M2 3h12M3 6h5M6 9h6M4 12h4",
  trace: "M4 2v12M12 2v12M4 5h8M9.500 3.500L12 5 9.500 6.500M12 10H4M6.500 8.500L4 10l2.500 1.500",
  run: "M4 2.500v11l9-5.500z",
  stop: "M4 4h8v8H4z",
  pause: "M5 3v10M11 3v10",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.500 10.500L14 14",
  close: "M4 4l8 8M12 4l-8 8",
  chevron: "M6 3.500L10.500 8 6 12.500",
  down: "M3.500 6L8 10.500 12.500 6",
  folder: "M2 4h4l1.500 1.500H14V13H2z",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  grid: "M2 2h12v12H2zM2 6.500h12M2 10.500h12M6.500 2v12M10.500 2v12",
  split: "M2 3h12v10H2zM8 3v10",
  copy: "M5 5h8v9H5zM3 11V2h8",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M3.400 12.600l1-1M11.600 4.400l1-1",
  moon: "M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z",
  panel: "M2 3h12v10H2zM2 9.500h12",
  inspector: "M2 3h12v10H2zM10 3v10",
  plus: "M8 3v10M3 8h10",
  rotate: "M13 8a5 5 0 1 1-1.600-3.700M13 2v3h-3",
  flip: "M8 2v12M6 5L2 11h4zM10 5l4 6h-4z",
  trash: "M3 4h10M6 4V2.500h4V4M4.500 4l.7 10h5.600l.7-10",
  book: "M8 4C6.500 2.800 4.500 2.500 2 2.500V12c2.500 0 4.500.300 6 1.500 1.500-1.200 3.500-1.500 6-1.500V2.500c-2.500 0-4.500.300-6 1.500zM8 4v9.500",
  up: "M8 13V3M4 7l4-4 4 4",
  warning: "M8 2l6.500 11.500h-13zM8 6.500v3.500M8 11.500v.7",
  error: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM5.800 5.800l4.400 4.400M10.200 5.800l-4.400 4.400",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7v4M8 5v.5",
  command: "M3 4l4 4-4 4M8.500 12.500H13",
  link: "M6.500 9.500l3-3M7 5l1.500-1.500a2.500 2.500 0 0 1 4 4L11 9M9 11l-1.500 1.500a2.500 2.500 0 0 1-4-4L5 7",
  tune: "M2 4.500h7M12 4.500h2M9 3v3M2 11.500h3M8 11.500h6M5 10v3",
  compare: "M2 3h5v10H2zM9 3h5v10H9zM3.500 6h2M10.500 6h2M3.500 9h2",
  star: "M8 2l1.800 3.900 4.200.5-3.100 2.900.800 4.200L8 11.400l-3.700 2.100.800-4.200L2 6.400l4.200-.5z",
  report: "M4 2h5l3 3v9H4zM6 8h4M6 11h4M9 2v3h3",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width={size} height={size}
      aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
