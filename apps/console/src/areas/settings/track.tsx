/** Least to most; the ring is what is desired, the bar what is reported, the thick band what counts as normal. Decoration beside the figures. */
export function Track({
  min,
  max,
  desired,
  reported,
  band,
  wrong,
}: {
  min: number
  max: number
  desired: number | null
  reported: number | null
  band: readonly [number, number] | null
  wrong: boolean
}) {
  const at = (value: number) => 6 + 172 * Math.max(0, Math.min(1, max > min ? (value - min) / (max - min) : 0))
  // A value beyond the range stands at its end, filled.
  const ring = (value: number) => (value > max ? 178 : value < min ? 6 : at(value))
  return (
    <svg className="setting-track" viewBox="0 0 184 24" aria-hidden="true">
      <path className="rail" d="M6 12H178" />
      <path className="ends" d="M6 8v8M178 8v8" />
      {band && band[1] > min && band[0] < max && <path className="band" d={`M${at(band[0])} 12H${at(band[1])}`} />}
      {reported !== null && <path className="reported" d={`M${at(reported)} 5v14`} />}
      {desired !== null && Number.isFinite(desired) && (
        <circle className={wrong ? 'ring wrong' : 'ring'} cx={ring(desired)} cy="12" r="5" />
      )}
    </svg>
  )
}
