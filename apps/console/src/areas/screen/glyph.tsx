import type { Liveness } from '@linewarden/rules/screen'
import type { LineCondition } from '../../plant/line-condition.ts'

/** From a bus down to the fixed contact, to the pivot, and on. */
const contact = 26
const pivot = 58

/** How far an open blade leans, and how high it ends. */
const leaning = { open: [15, contact + 1], tripped: [16, contact - 3] } as const

/**
 * A switch as it stands in a conductor that runs downwards (IEC 60617): contact, blade, pivot. It stands where the equipment reported it.
 *
 * @param above whether the bus that it hangs on is energised, `below` what lies behind it
 */
export function Conductor({
  x,
  top,
  bottom,
  condition,
  above,
  below,
  width,
  isLoad,
}: {
  x: number
  top: number
  bottom: number
  /** Null: it has no switch. */
  condition: LineCondition | null
  above: Liveness
  below: Liveness
  width: number
  /** It ends at a load, and not at a bus. */
  isLoad: boolean
}) {
  const away = condition === 'offline'
  const end = isLoad ? bottom - 10 : bottom
  const [one, other] = [away ? 'away' : above, away ? 'away' : below]
  return (
    <g className="conductor">
      {condition === null ? (
        <path className={`wire ${other}`} d={`M${x} ${top}V${end}`} strokeWidth={width} />
      ) : (
        <>
          <path className={`wire ${one}`} d={`M${x} ${top}V${top + contact}`} strokeWidth={width} />
          <path className={`wire ${other}`} d={`M${x} ${top + pivot}V${end}`} strokeWidth={width} />
          <Blade x={x} top={top} condition={condition} />
        </>
      )}
      {isLoad && <path className={`tip ${other}`} d={`M${x - 7} ${end}h14l-7 11z`} />}
    </g>
  )
}

/** A blade alone, between its contact at 26 and its pivot at 58 below `top`. */
export function Blade({ x, top, condition }: { x: number; top: number; condition: LineCondition }) {
  const [high, low] = [top + contact, top + pivot]
  const cross = `M${x - 5} ${high - 5}l10 10M${x + 5} ${high - 5}l-10 10`
  const foot =
    condition === 'offline' ? <circle className="ring" cx={x} cy={low} r="3.500" /> : <circle cx={x} cy={low} r="3.500" />
  return (
    <g className={`blade ${condition}`}>
      <path d={cross} strokeWidth="2" />
      <Arm x={x} high={high} low={low} condition={condition} />
      {foot}
    </g>
  )
}

function Arm({ x, high, low, condition }: { x: number; high: number; low: number; condition: LineCondition }) {
  const lean = (to: readonly [number, number]) => `M${x} ${low}L${x - to[0]} ${high - contact + to[1]}`
  const straight = `M${x} ${low}V${high}`
  switch (condition) {
    case 'closed':
      return <path d={straight} strokeWidth="4" />
    case 'open':
      return <path d={lean(leaning.open)} strokeWidth="4" />
    case 'tripped':
      return (
        <>
          <path d={lean(leaning.tripped)} strokeWidth="4" />
          <path className="flag" d={`M${x - 20} ${high + 8}l11-4-2 12z`} />
        </>
      )
    case 'opening':
    case 'closing':
      return (
        <>
          <path d={condition === 'opening' ? straight : lean(leaning.open)} strokeWidth="4" />
          <path
            className="move"
            d={condition === 'opening' ? lean(leaning.open) : straight}
            strokeWidth="2"
            strokeDasharray="4 4"
          />
        </>
      )
    case 'offline':
      return <path d={straight} strokeWidth="3" strokeDasharray="4 4" />
    default:
      return (
        <>
          <path d={lean([9, contact])} strokeWidth="3" strokeDasharray="4 4" />
          <text className="question" x={x - 22} y={high + 16}>
            ?
          </text>
        </>
      )
  }
}
