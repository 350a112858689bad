const width = 160
const height = 28

/** A value over a short time, with a mark where something happened. A missing value is a gap. */
export function Sparkline({
  values,
  mark,
  label,
}: {
  values: readonly (readonly [at: number, value: number | null])[]
  mark: number
  label: string
}) {
  const known = values.flatMap(([, value]) => (value === null ? [] : [value]))
  const [from, to] = [values[0]?.[0] ?? 0, values.at(-1)?.[0] ?? 1]
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * width
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
  const path = values
    .map(([at, value], index) =>
      value === null
        ? ''
        : `${index === 0 || values[index - 1]?.[1] === null ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('')
  const at = Math.min(width, Math.max(0, x(mark)))
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
      <path className="mark" d={`M${at.toFixed(1)} 0V${height}`} />
      <path d={path} />
    </svg>
  )
}
