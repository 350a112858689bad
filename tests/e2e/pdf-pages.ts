/** The pages of a PDF, in points. */
export function pagesOf(pdf: Buffer): { readonly width: number; readonly height: number }[] {
  const text = pdf.toString('latin1')
  return [...text.matchAll(/\/Type\s*\/Page\b[\s\S]*?\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/g)].map(
    ([, width, height]) => ({
      width: Number(width),
      height: Number(height),
    }),
  )
}

export const isA4 = ({ width, height }: { readonly width: number; readonly height: number }): boolean =>
  Math.round(width) === 595 && Math.round(height) === 842
