import type { Timer } from '@linewarden/contract'
import { conflictEffects } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import { Mark } from '../../../ui/mark.tsx'
import type { TableColumn } from '../../../ui/table-column.ts'
import { whenOf } from '../parts/civil-text.ts'
import { LineNames } from '../parts/line-names.tsx'
import { NextRun } from '../parts/next-run.tsx'
import { periodText } from '../parts/period-text.ts'
import { RunStateWord } from '../parts/run-state.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { ForeseenBrief } from './foreseen-text.tsx'
import type { WhyNoChange } from './why-no-change.ts'

type Words = TFunction<['timers', 'automation', 'app']>

/** What a timer's row shows; all of it is exported. */
export function timerColumns(
  t: Words,
  {
    reasonOf,
    onSwitch,
    onOpen,
  }: {
    readonly reasonOf: WhyNoChange
    readonly onSwitch: (timer: Timer) => void
    readonly onOpen: (timerId: number) => void
  },
): readonly TableColumn<Timer>[] {
  const kindOf = (timer: Timer) =>
    [timer.Type ? t(`automation:types.${timer.Type}`) : '', periodText(timer)].filter(Boolean).join(' · ')
  return [
    {
      key: 'Name',
      head: t('nameAndType'),
      cell: (timer) => <Name timer={timer} t={t} kind={kindOf(timer)} onOpen={onOpen} />,
      text: ({ Name }) => Name,
    },
    {
      key: 'Function',
      head: t('function'),
      cell: (timer) => <Purpose timer={timer} t={t} />,
      text: (timer) => [...purposeWords(timer, t), kindOf(timer)].join(' · '),
    },
    {
      key: 'Next',
      head: t('next'),
      cell: (timer) => <Next timer={timer} t={t} />,
      text: ({ Next: [next], TimeZone }) =>
        next ? `${whenOf(next.At, TimeZone)} ${t(`automation:actions.${next.Action}`)}` : '',
    },
    {
      key: 'Lines',
      head: t('lines'),
      cell: ({ Lines, LineCount }) => <LineNames count={LineCount} lines={Lines} />,
      text: ({ Lines, LineCount }) =>
        [
          t('automation:lines', { count: LineCount }),
          Lines.map(({ LineName }) => LineName).join(t('automation:nameBetween')),
        ].join(' '),
    },
    {
      key: 'Last',
      head: t('last'),
      cell: ({ Last, TimeZone }) =>
        Last ? (
          <span className="two-lines">
            <RunStateWord state={Last.State} />
            <small className="whole">{whenOf(Last.At, TimeZone)}</small>
          </span>
        ) : (
          <span className="two-lines">
            <span>–</span>
            <small className="whole">{t('neverRan')}</small>
          </span>
        ),
      text: ({ Last, TimeZone }) =>
        Last ? `${t(`automation:runStates.${Last.State}`)} ${whenOf(Last.At, TimeZone)}` : t('neverRan'),
    },
    {
      key: 'OwnerName',
      head: t('owner'),
      cell: ({ OwnerName, Orphan }) => <span className={Orphan ? 'timer-orphan' : undefined}>{OwnerName ?? '–'}</span>,
      text: ({ OwnerName, Orphan }) => [OwnerName ?? '', ...(Orphan ? [t('orphan')] : [])].filter(Boolean).join(' · '),
    },
    {
      key: 'HouseName',
      head: t('project'),
      cell: ({ HouseName }) => HouseName,
      text: ({ HouseName }) => HouseName,
      optional: true,
    },
    {
      key: 'Enabled',
      head: t('enabled'),
      cell: (timer) => (
        <Toggle
          label={t(timer.Enabled ? 'disableOf' : 'enableOf', { name: timer.Name })}
          on={timer.Enabled}
          reason={reasonOf(timer)}
          onPress={() => onSwitch(timer)}
        />
      ),
      text: ({ Enabled }) => (Enabled ? t('app:enabled') : t('app:disabled')),
    },
  ]
}

function Name({ timer, t, kind, onOpen }: { timer: Timer; t: Words; kind: string; onOpen: (timerId: number) => void }) {
  return (
    <span className="two-lines">
      <span className="timer-name">
        <button
          type="button"
          className="timer-open"
          aria-label={t('openTimer', { name: timer.Name })}
          onClick={() => onOpen(timer.TimerID)}
        >
          {timer.Name}
        </button>
        <Marks timer={timer} t={t} />
      </span>
      <small>{kind}</small>
    </span>
  )
}

/** What it is for, and which scene it runs. */
const purposeWords = ({ Function: purpose, SceneName }: Timer, t: Words): readonly string[] =>
  [purpose ? t(`automation:functions.${purpose}`) : '–', SceneName ?? ''].filter(Boolean)

function Purpose({ timer, t }: { timer: Timer; t: Words }) {
  const [purpose, scene] = purposeWords(timer, t)
  if (scene === undefined) return purpose
  return (
    <span className="two-lines">
      <span>{purpose}</span>
      <small>{scene}</small>
    </span>
  )
}

function Marks({ timer, t }: { timer: Timer; t: Words }) {
  return (
    <>
      {timer.Conflicts.some((key) => conflictEffects[key] !== 'note' && key !== 'orphan') && (
        <span className="mark-tag warning">
          <Mark kind="warning" size={12} />
          {t('conflict')}
        </span>
      )}
      {timer.Orphan && (
        <span className="mark-tag fault">
          <Mark kind="fault" size={12} />
          {t('orphan')}
        </span>
      )}
      {timer.Missed > 0 && <span className="mark-tag">{t('missed', { count: timer.Missed })}</span>}
    </>
  )
}

function Next({ timer, t }: { timer: Timer; t: Words }) {
  const [next] = timer.Next
  if (!next)
    return (
      <span className="two-lines">
        <span>–</span>
        <small>{timer.Enabled ? t('nothingDue') : t('app:disabled')}</small>
      </span>
    )
  return <NextRun next={next} timeZone={timer.TimeZone} trouble={<ForeseenBrief foreseen={timer.Foreseen} />} />
}
