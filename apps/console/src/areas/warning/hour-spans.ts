/** Hours of a day as people write them, those that follow each other together: `08:00–10:00`. */
export function hourSpans(hours: readonly number[]): readonly string[] {
  const spans: { from: number; to: number }[] = []
  for (const hour of hours) {
    const last = spans.at(-1)
    if (last?.to === hour) last.to = hour + 1
    else spans.push({ from: hour, to: hour + 1 })
  }
  return spans.map(({ from, to }) => `${clock(from)}–${clock(to)}`)
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
