/** About how wide a text is drawn, in px: Han and other wide signs a whole em, digits and small letters about half of one. */
export function textWidth(text: string, px: number): number {
  let ems = 0
  for (const char of text) ems += emsOf(char)
  return ems * px
}

function emsOf(char: string): number {
  if (char > '⺀') return 1
  if (char >= 'A' && char <= 'Z') return 0.68
  if (" .,:;|il1'’()[]·".includes(char)) return char === '1' ? 0.56 : 0.32
  return 0.57
}

/** A text in lines of a width; what does not fit the last of them ends in `…`. */
export function fitText(text: string, width: number, px: number, maxLines: number): readonly string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < maxLines) {
    const isLast = lines.length === maxLines - 1
    const whole = textWidth(rest, px)
    if (whole <= width) return [...lines, rest]
    // Two lines of a length read better than one that is full and one sign.
    const first = lines.length === maxLines - 2 && whole <= 1.8 * width ? Math.min(width, whole / 2 + px) : width
    const taken = isLast ? `${cut(rest, width - px, px).trimEnd()}…` : atWord(cut(rest, first, px), rest)
    lines.push(taken.trimEnd())
    rest = rest.slice(taken.length).trimStart()
  }
  return lines
}

/** As much as fits, one sign at least. */
function cut(text: string, width: number, px: number): string {
  let taken = ''
  for (const char of text) {
    if (taken !== '' && textWidth(taken + char, px) > width) return taken
    taken += char
  }
  return taken
}

/** Latin words stay whole where a line has a place to break. */
function atWord(taken: string, whole: string): string {
  const next = whole[taken.length] ?? ' '
  if (!/[A-Za-z]/.test(next) || !/[A-Za-z]$/.test(taken)) return taken
  const space = taken.lastIndexOf(' ')
  return space > 0 ? taken.slice(0, space + 1) : taken
}
