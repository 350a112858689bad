import type { AutomationRun, RunEntry } from '@linewarden/contract'
import { getAutomationRun, stopAutomationRun } from '@linewarden/contract'
import { lineOutcome } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMay } from '../../../app/session/use-may.ts'
import { span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SwitchSymbol } from '../../../ui/switch-symbol.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import { civilText } from '../parts/civil-text.ts'
import { lateText } from './run-reasons.ts'

type Line = AutomationRun['Lines'][number]

/** While a run goes on its lines are read again so often. */
const everyMs = 2_000

/** What became of each line of a run, what it was decided by, and, while it goes on, the way to stop the rest. */
export function RunLines({ run, zone }: { run: RunEntry; zone: string }) {
  const { t } = useTranslation(['runLog', 'automation', 'runWhy'])
  const query = useCall(
    getAutomationRun,
    { params: { RunID: run.RunID } },
    { refetchInterval: ({ state }) => ((state.data?.EndedAt ?? null) === null ? everyMs : false) },
  )
  const { data } = query
  return (
    <>
      {!data && (
        <tr className="line">
          <td colSpan={8}>
            <Unloaded query={query} />
          </td>
        </tr>
      )}
      {data?.Lines.map((line, index) => (
        <LineRow key={line.LineID} line={line} turn={index + 1} />
      ))}
      {data && (
        <tr className="line about">
          <td colSpan={8}>
            {data.Lines.length === 0 && <p>{t('noLines')}</p>}
            {!data.Whole && <p>{t('hidden')}</p>}
            {run.Source !== 'timer' && run.Reason !== '' && <p>{t('ranBecause', { reason: run.Reason })}</p>}
            <Trace run={data} zone={zone} />
            <Stop run={data} />
          </td>
        </tr>
      )}
    </>
  )
}

function LineRow({ line, turn }: { line: Line; turn: number }) {
  const { t } = useTranslation(['runLog', 'automation', 'runWhy'])
  const { Action, State, Refusal, Command } = line
  const outcome = lineOutcome({ state: State, why: Refusal?.Key ?? null, command: Command?.State ?? null })
  const isProved = outcome === 'verified' || outcome === 'already'
  const isSwitched = Action === 'trip' || Action === 'close'
  const isAmiss = !isProved && outcome !== 'skipped' && outcome !== 'underWay' && outcome !== 'waiting'
  const isNotSent = outcome === 'refused' || outcome === 'missed' || outcome === 'skipped' || outcome === 'stopped'
  const took = Command?.VerifiedAt ? Command.VerifiedAt - Command.RequestedAt : null
  return (
    <tr className="line">
      <td className="turn">{turn}</td>
      <td className="name" title={line.LineName}>
        {line.LineName}
      </td>
      <td className="position">
        {isProved && isSwitched && <SwitchSymbol state={Action === 'trip' ? 'open' : 'closed'} />}
        {t(`automation:actions.${Action === 'selfTest' ? 'test' : Action}`)}
      </td>
      <td className="outcome">{isAmiss ? <b>{t(`runWhy:outcomes.${outcome}`)}</b> : t(`runWhy:outcomes.${outcome}`)}</td>
      <td className="of-lines">
        {line.ControllerID}
        {line.LineNo > 0 && ` #${line.LineNo}`}
      </td>
      <td className="end late">{isNotSent ? t('notSent') : ''}</td>
      <td className="end took">{took === null ? '–' : span(took)}</td>
      <td className="why">{Refusal && localised(Refusal.Text)}</td>
    </tr>
  )
}

/** What was known when it was decided: the instant, by which clock, of which version, with whose rights. */
function Trace({ run, zone }: { run: AutomationRun; zone: string }) {
  const { t } = useTranslation(['runLog', 'automation'])
  const { version, timeZone } = run.Trace
  const when = (at: number) => {
    const { date, time } = civilText(at, zone, serverNow())
    return `${date} ${time}`
  }
  const facts: readonly (readonly [string, string | null])[] = [
    [t('traceOf.due'), run.DueAt === null ? null : when(run.DueAt)],
    [t('traceOf.claimed'), when(run.ClaimedAt)],
    [t('traceOf.late'), run.DueAt === null ? null : lateText(run.ClaimedAt - run.DueAt)],
    [t('traceOf.zone'), typeof timeZone === 'string' ? timeZone : zone],
    [t('traceOf.version'), typeof version === 'number' ? t('versionNo', { version }) : null],
    [t('traceOf.actor'), run.Actor],
    [t('traceOf.ended'), run.EndedAt === null ? null : when(run.EndedAt)],
    [t('traceOf.stoppedBy'), run.StoppedBy],
  ]
  return (
    <dl className="run-trace" aria-label={t('trace')}>
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

function Stop({ run }: { run: AutomationRun }) {
  const { t } = useTranslation('runLog')
  const may = useMay('lineSwitch')
  const waiting = run.Lines.filter(({ State }) => State === 'waiting').length
  if (run.EndedAt !== null || run.StoppedBy !== null || waiting === 0 || !may) return null
  return (
    <button
      type="button"
      className="btn"
      onClick={() => void callWithToast(change(stopAutomationRun, { params: { RunID: run.RunID } }))}
    >
      <Icon name="close" />
      {t('stop', { count: waiting })}
    </button>
  )
}
