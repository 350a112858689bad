import type { AutomationRun, RunEntry } from '@linewarden/contract'
import type { DayClass } from '@linewarden/rules/automation'
import { civilZone, dayClasses } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import { civilText, offsetText } from '../parts/civil-text.ts'
import { whyWord } from '../parts/why-words.ts'
import { countsText, lateText } from './run-reasons.ts'
import type { Check } from './why-chain.ts'
import { whyChain } from './why-chain.ts'

/** What a run was decided by: what brought it about, then the checks of the dispatcher in its order, up to the first that failed. */
export function RunTrace({ run, entry, zone }: { run: AutomationRun; entry: RunEntry; zone: string }) {
  const { t } = useTranslation(['runLog', 'automation'])
  return (
    <div className="run-trace" role="group" aria-label={t('trace')}>
      <Trigger run={run} zone={zone} />
      {run.Source === 'timer' && <Checks run={run} entry={entry} />}
    </div>
  )
}

function Trigger({ run, zone }: { run: AutomationRun; zone: string }) {
  const { t } = useTranslation(['runLog', 'automation'])
  const { version, className } = run.Trace
  const clock = typeof run.Trace.timeZone === 'string' ? run.Trace.timeZone : zone
  const dayClass = classOf(run.Trace.class)
  const when = (at: number) => {
    const { date, time } = civilText(at, clock, serverNow())
    return `${date} ${time}`
  }
  const facts: readonly (readonly [string, string | null])[] = [
    [t('traceOf.due'), run.DueAt === null ? null : `${when(run.DueAt)} ${offsetText(civilZone(clock).offsetMsAt(run.DueAt))}`],
    [t('traceOf.zone'), clock],
    [
      t('traceOf.dayClass'),
      dayClass && [t(`automation:classes.${dayClass}`), ...(typeof className === 'string' ? [className] : [])].join(' · '),
    ],
    [t('traceOf.claimed'), when(run.ClaimedAt)],
    [t('traceOf.ended'), run.EndedAt === null ? null : when(run.EndedAt)],
    [t('traceOf.version'), typeof version === 'number' ? t('versionNo', { version }) : null],
    [t('traceOf.actor'), run.Actor],
    [t('traceOf.stoppedBy'), run.StoppedBy],
  ]
  return (
    <dl className="why-facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** That it was due at all is why there is a run. */
const ofDispatcher: readonly Check[] = ['skipped', 'claimed', 'lines']

function Checks({ run, entry }: { run: AutomationRun; entry: RunEntry }) {
  const { t } = useTranslation('runLog')
  const { passed, failed } = whyChain({ Why: 'ran', Runs: [run] })
  const late = run.DueAt === null ? '' : t('lateBy', { time: lateText(run.ClaimedAt - run.DueAt) })
  const facts: Partial<Record<Check, string>> = { claimed: late, lines: countsText(entry) }
  return (
    <ol className="why-chain">
      {passed
        .filter((check) => ofDispatcher.includes(check))
        .map((check) => (
          <li key={check}>
            <Icon name="check" />
            <span>{t(`why.checks.${check}`, { time: '' })}</span>
            <small>{facts[check]}</small>
          </li>
        ))}
      {failed !== null && (
        <li className="failed">
          <Icon name="close" />
          <b>{t(`why.checks.${failed}`, { time: '' })}</b>
          <small>{run.Why === null ? facts[failed] : whyWord(run.Why)}</small>
        </li>
      )}
    </ol>
  )
}

const classOf = (given: unknown): DayClass | null => dayClasses.find((each) => each === given) ?? null
