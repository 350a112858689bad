import type { AutomationRun, RunEntry } from '@linewarden/contract'
import { getAutomationRun, stopAutomationRun } from '@linewarden/contract'
import { civilZone, lineOutcome } from '@linewarden/rules/automation'
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
import { CommandTrace } from '../parts/command-trace.tsx'
import { RunTrace } from './run-trace.tsx'

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
        <LineRow key={line.LineID} line={line} turn={index + 1} zone={zone} />
      ))}
      {data && (
        <tr className="line about">
          <td colSpan={8}>
            {data.Lines.length === 0 && <p>{t('noLines')}</p>}
            {!data.Whole && <p>{t('hidden')}</p>}
            {run.Source !== 'timer' && run.Reason !== '' && <p>{t('ranBecause', { reason: run.Reason })}</p>}
            <RunTrace run={data} entry={run} zone={zone} />
            <Stop run={data} />
          </td>
        </tr>
      )}
    </>
  )
}

function LineRow({ line, turn, zone }: { line: Line; turn: number; zone: string }) {
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
      <td className="name" title={`${line.LineName} · ${line.ControllerID}${line.LineNo > 0 ? ` #${line.LineNo}` : ''}`}>
        {line.LineName}
      </td>
      <td className="position">
        {isProved && isSwitched && <SwitchSymbol state={Action === 'trip' ? 'open' : 'closed'} />}
        {t(`automation:actions.${Action === 'selfTest' ? 'test' : Action}`)}
      </td>
      <td className="outcome">{isAmiss ? <b>{t(`runWhy:outcomes.${outcome}`)}</b> : t(`runWhy:outcomes.${outcome}`)}</td>
      <td className="of-lines">{Command && t('turnAt', { turn, time: clockToTenths(Command.RequestedAt, zone) })}</td>
      <td className="end late">{isNotSent ? t('notSent') : ''}</td>
      <td className="end took">{took === null ? '–' : span(took)}</td>
      <td className="why">
        {Refusal && localised(Refusal.Text)} {Command && <CommandTrace command={Command} />}
      </td>
    </tr>
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

/** When a line had its turn: closes of a project are a second apart. */
const clockToTenths = (at: number, zone: string): string => new Date(civilZone(zone).wallAt(at)).toISOString().slice(11, 21)
