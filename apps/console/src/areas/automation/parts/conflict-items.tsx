import type { TimerConflict } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { span } from '../../../ui/format.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { civilText } from './civil-text.ts'
import { timerConflicts } from './conflict-texts.ts'
import './parts.css'

addTexts({ timerConflicts })

type LineOf = NonNullable<TimerConflict['Line']>

interface Shown {
  /** The timer that is looked at; null: it is not stored yet. */
  readonly timerId: number | null
  readonly nameOf: (line: LineOf) => string
  readonly timeZone: string
  /** In a form: what stands against saving is said, and whether it is confirmed. Null: it is stored already. */
  readonly isConfirmed: boolean | null
  /** What can be done about those of a group, the first instant of all of them. */
  readonly actsOf: (conflict: TimerConflict, at: number | null) => ReactNode
}

const shownNames = 2

const groupKey = ({ Key, TimerID, LinkageID, By }: TimerConflict) => `${Key} ${TimerID} ${LinkageID} ${By}`

/** Conflicts of one kind with one other side are one: both sides, the lines, the first instant. */
export const conflictGroups = (conflicts: readonly TimerConflict[]): readonly (readonly TimerConflict[])[] => [
  ...Map.groupBy(conflicts, groupKey).values(),
]

/** What a timer does to others and to its lines. */
export function ConflictItems({ groups, ...shown }: Shown & { groups: readonly (readonly TimerConflict[])[] }) {
  return (
    <ul className="conflict-items">
      {groups.map((group) => (
        <Item key={group[0] && groupKey(group[0])} group={group} {...shown} />
      ))}
    </ul>
  )
}

function Item({ group, timerId, nameOf, timeZone, isConfirmed, actsOf }: Shown & { group: readonly TimerConflict[] }) {
  const { t } = useTranslation(['timerConflicts', 'automation', 'app'])
  const mayOpenLinkages = useMayOpen(paths.linkages)
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const [first] = group
  if (!first) return null
  const { Key, Effect, Figure, Name, TimerID, LinkageID, By } = first
  const lines = [...new Set(group.flatMap(({ Line }) => (Line ? nameOf(Line) : [])))]
  const earliest = Math.min(...group.map(({ At }) => At ?? Number.POSITIVE_INFINITY))
  const at = Number.isFinite(earliest) ? earliest : null
  const when = at === null ? null : civilText(at, timeZone, minute * 60_000)
  const kind = kindOf(Effect, isConfirmed)
  const name = Name === null ? t(TimerID === timerId ? 'self' : 'other') : t('named', { name: Name })
  const what = t(`kinds.${Key}`, {
    ...{ name, by: By === null ? '' : t('taggedBy', { name: By }) },
    figure: Figure === null ? '' : Key === 'queue' ? span(Figure) : String(Figure),
  })
  const notes = [
    ...(when ? [t('first', { when: `${when.date} ${when.time}` })] : []),
    ...(isConfirmed === null ? [] : Effect === 'confirm' ? [t(isConfirmed ? 'isConfirmed' : 'confirmFirst')] : []),
    ...(isConfirmed !== null && Effect === 'refused' ? [t('never')] : []),
  ]
  const shown = lines.slice(0, shownNames).join(t('automation:nameBetween'))
  const called = lines.length > shownNames ? shown + t('more', { count: lines.length }) : shown
  return (
    <li className={kind ?? 'note'}>
      {kind === null ? <Icon name="clock" /> : <Mark kind={kind} />}
      <div>
        <p>
          {called !== '' && <b>{called}</b>}
          {called !== '' && t('app:colon')}
          {what}
        </p>
        {notes.length > 0 && <small>{notes.join(' ')}</small>}
      </div>
      <span className="acts">
        {LinkageID !== null && mayOpenLinkages && (
          <Link className="text-link" to={`${paths.linkages}?linkage=${LinkageID}`}>
            {t('showLinkage')}
          </Link>
        )}
        {actsOf(first, at)}
      </span>
    </li>
  )
}

/** What stands against saving is a fault until it is confirmed; of a stored timer it has been. */
function kindOf(effect: TimerConflict['Effect'], isConfirmed: boolean | null): 'fault' | 'warning' | null {
  if (effect === 'refused') return isConfirmed === null ? 'warning' : 'fault'
  if (effect === 'confirm') return isConfirmed === false ? 'fault' : 'warning'
  return effect === 'warn' ? 'warning' : null
}
