import type { AlarmKind } from '@linewarden/equipment'
import type { LineShape, Liveness } from '@linewarden/rules/screen'
import { memo } from 'react'
import { Link } from 'react-router'
import type { LineCondition } from '../../plant/line-condition.ts'
import { shapes } from '../../ui/mark.tsx'
import { fitText } from './fit-text.ts'
import { Conductor } from './glyph.tsx'

/** What a line of the diagram shows; all of it plain, so that one that did not change is not drawn again. */
export interface LineLook {
  readonly placed: LineShape
  readonly name: string
  readonly condition: LineCondition | null
  readonly severity: AlarmKind | null
  readonly above: Liveness
  readonly below: Liveness
  readonly width: number
  /** What it draws, and its unit; a dash where nothing is known. */
  readonly figure: string
  readonly unit: string
  readonly current: string
  /** The word for how it stands. */
  readonly state: string
  /** What is to be known of it: why it stands as it does. */
  readonly note: string
  /** The figure is not of now. */
  readonly isOld: boolean
  readonly isTagged: boolean
  /** A voltage was measured where the drawing has none. */
  readonly disagrees: string
  /** Where its drawer is, and where it stands on a wall. */
  readonly href: string
  readonly device: string
}

export const nameLine = 20
const namePx = 16
const notePx = 14

/** A line with its switch, what it is called and what it draws. */
export const DiagramLine = memo(function DiagramLine(look: LineLook) {
  const { placed, name, condition, severity, note, figure } = look
  const { lineId, x, top, bottom, role } = placed
  const tone = toneOf(condition, severity)
  return (
    <Link
      className={`line ${tone}`}
      to={look.device}
      state={{ opened: true }}
      data-line={lineId}
      aria-label={[name, look.state, note, `${figure} ${look.unit}`, look.disagrees].filter((each) => each !== '').join(' · ')}
    >
      <title>{name}</title>
      <rect
        className="hit"
        x={x - 22}
        y={top + 4}
        width={placed.label.x + placed.label.width - x + 22}
        height={bottom - top - 4}
      />
      <Conductor
        {...{ x, top, bottom, condition, above: look.above, below: look.below, width: look.width }}
        isLoad={role === 'load'}
      />
      {look.isTagged && <TagBox x={x - 20} y={top + 8} />}
      {role === 'incomer' ? <IncomerLabel look={look} /> : <Label look={look} tone={tone} />}
    </Link>
  )
})

function Label({ look, tone }: { look: LineLook; tone: string }) {
  const { label } = look.placed
  const hasMark = tone !== 'calm'
  // The mark stands before the name where there is room for both, else above it.
  const beside = hasMark && label.width >= 120
  const above = hasMark && !beside
  const names = fitText(look.name, label.width - (beside ? 20 : 0), namePx, 2)
  const y = label.y + (above ? 2 : 0)
  const first = y + 14 + (above ? 16 : 0)
  const value = first + names.length * nameLine + 4
  const room = Math.max(1, Math.floor((label.y + label.height - value) / 18))
  const note = look.placed.role === 'feeder' && look.note === look.current ? '' : look.note
  const notes = fitText(note, label.width, notePx, Math.min(2, room))
  return (
    <>
      {hasMark && <KindMark tone={tone} x={label.x} y={beside ? y + 1 : y - 2} />}
      {names.map((part, at) => (
        <text key={part + String(at)} className="name" x={label.x + (beside && at === 0 ? 20 : 0)} y={first + at * nameLine}>
          {part}
        </text>
      ))}
      <text className={look.isOld ? 'value old' : 'value'} x={label.x} y={value}>
        {look.figure}
        {label.width >= 86 && look.figure !== '–' && (
          <tspan className="unit" dx="4">
            {look.unit}
          </tspan>
        )}
        {look.placed.role === 'feeder' && look.current !== '' && (
          <tspan className="second" dx="12">
            {look.current}
          </tspan>
        )}
      </text>
      {(look.disagrees === '' ? notes : fitText(look.disagrees, label.width, notePx, Math.min(2, room))).map((part, at) => (
        <text
          key={part + String(at)}
          className={look.disagrees === '' ? 'note' : 'note disagrees'}
          x={label.x}
          y={value + 20 + at * 18}
        >
          {part}
        </text>
      ))}
    </>
  )
}

/** Between a source and its bus there is room: its figures are the largest of the picture. */
function IncomerLabel({ look }: { look: LineLook }) {
  const { label } = look.placed
  const [name = ''] = fitText(look.name, Math.max(120, label.width), notePx, 1)
  return (
    <>
      <text className="above" x={label.x + 22} y={label.y + 18}>
        {name}
      </text>
      <text className={look.isOld ? 'large old' : 'large'} x={label.x + 22} y={label.y + 50}>
        {look.figure}
        <tspan className="unit" dx="6">
          {look.unit}
        </tspan>
        <tspan className="second" dx="16">
          {look.current}
        </tspan>
      </text>
      {look.note !== look.current && (
        <text className="note" x={label.x + 22} y={label.y + 72}>
          {fitText(look.note, Math.max(160, label.width), notePx, 1)[0]}
        </text>
      )}
    </>
  )
}

/** A lock-out tag on its switch, also where there is no room for words. */
const TagBox = ({ x, y }: { x: number; y: number }) => (
  <path className="tag-box" d={`M${x} ${y}h12v16h-12zM${x + 6} ${y + 2.5}a1.500 1.500 0 1 0 .01 0z`} />
)

export function KindMark({ tone, x, y }: { tone: string; x: number; y: number }) {
  const kind = tone === 'alarm' || tone === 'fault' || tone === 'warning' ? tone : null
  return (
    <svg className="kind-mark" x={x} y={y} width="16" height="16" viewBox="0 0 14 14" aria-hidden="true">
      {kind ? (
        <path fillRule="evenodd" d={shapes[kind]} />
      ) : (
        <path className="hatched" d="M1.700 1.700h10.600v10.600H1.700zM2 6.500 6.500 2M2 11.800 11.800 2M7.500 12 12 7.500" />
      )}
    </svg>
  )
}

/** In whose colour it is drawn: of its worst event, else of what its switch is. */
export function toneOf(
  condition: LineCondition | null,
  severity: AlarmKind | null,
): 'alarm' | 'fault' | 'warning' | 'away' | 'calm' {
  if (condition === 'offline') return 'away'
  if (condition === 'tripped' || severity === 'alarm') return 'alarm'
  if (condition === 'unknown' || severity === 'fault') return 'fault'
  return severity === null ? 'calm' : 'warning'
}
