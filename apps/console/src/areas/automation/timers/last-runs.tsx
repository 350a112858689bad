import type { RunEntry, Timer } from '@linewarden/contract'
import { logTimers } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { localised } from '../../../ui/i18n.ts'
import { whenOf } from '../parts/civil-text.ts'
import { RunStateWord } from '../parts/run-state.tsx'

const shownRuns = 5

/** How a timer ran last: what was done of it, why not all, and how late it began. */
export function LastRuns({ timer }: { timer: Timer }) {
  const { t } = useTranslation('timers')
  const query = useCall(logTimers, { body: { TimerID: timer.TimerID, Size: shownRuns } }, { refetchInterval: 30_000 })
  const runs = query.data?.items ?? []
  return (
    <section className="part" aria-label={t('runs')}>
      <h3>
        {t('runs')} <small>{t('lastFive')}</small>
      </h3>
      <Unloaded query={query} />
      {query.data && runs.length === 0 && <p className="mute">{t('neverRan')}</p>}
      <ol className="timer-runs">
        {runs.map((run) => (
          <Run key={run.RunID} run={run} timer={timer} />
        ))}
      </ol>
    </section>
  )
}

function Run({ run, timer }: { run: RunEntry; timer: Timer }) {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  const { Counts, DueAt, ClaimedAt, State, Why, Reasons } = run
  const done = Counts.Verified + Counts.Already
  const isOrdered = State !== 'missed' && State !== 'skipped' && State !== 'merged'
  return (
    <li>
      <span>
        {whenOf(DueAt ?? ClaimedAt, timer.TimeZone)} {run.Action && t(`automation:actions.${run.Action}`)}
      </span>
      <span>
        <RunStateWord state={State} />
        {isOrdered && Counts.Total > 0 && ` ${done}/${Counts.Total}`}
        {Counts.Skipped > 0 && ` · ${t('skippedLines', { count: Counts.Skipped })}`}
      </span>
      <small className="late">
        {isOrdered && DueAt !== null
          ? t('late', { seconds: (Math.max(0, ClaimedAt - DueAt) / 1_000).toFixed(2) })
          : t('notOrdered')}
      </small>
      {(Why !== null || Reasons.length > 0) && (
        <small className="why">
          {[
            ...(Why !== null && isWhy(Why) ? [t(`whys.${Why}`)] : []),
            ...Reasons.map(
              ({ Text, LineNames }) => `${LineNames.join(t('automation:nameBetween'))}${t('app:colon')}${localised(Text)}`,
            ),
          ].join(t('app:semicolon'))}
        </small>
      )}
    </li>
  )
}

const whys = [
  'clockSet',
  'databaseAway',
  'serverDown',
  'overloaded',
  'disabledMeanwhile',
  'changedMeanwhile',
  'skipOnce',
  'noSun',
  'stillWanted',
  'sceneMissing',
  'sceneDisabled',
] as const
const isWhy = (text: string): text is (typeof whys)[number] => whys.some((each) => each === text)
