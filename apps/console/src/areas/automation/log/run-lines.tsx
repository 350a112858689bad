import type { AutomationRun, RunEntry } from '@linewarden/contract'
import { getAutomationRun, stopAutomationRun } from '@linewarden/contract'
import { civilZone, isAmiss, lineOutcome } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMay } from '../../../app/session/use-may.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SwitchSymbol } from '../../../ui/switch-symbol.tsx'
import { CommandTrace } from '../parts/command-trace.tsx'
import { RunTrace } from './run-trace.tsx'

type Line = AutomationRun['Lines'][number]

/** While a run goes on its lines are read again so often. */
const everyMs = 2_000
/** So many lines are shown before somebody asks for more. */
const fewLines = 60

/** What became of each line of a run, what it was decided by, and, while it goes on, the way to stop the rest. */
export function RunLines({ run, zone }: { run: RunEntry; zone: string }) {
  const { t } = useTranslation(['runLog', 'automation', 'runWhy'])
  const query = useCall(
    getAutomationRun,
    { params: { RunID: run.RunID } },
    { refetchInterval: ({ state }) => ((state.data?.EndedAt ?? null) === null ? everyMs : false) },
  )
  const { data } = query
  const [isWhole, setWhole] = useState(false)
  const lines = (data?.Lines ?? []).map((line, index) => ({ line, turn: index + 1 }))
  // Of hundreds what somebody should look at comes first, each with its turn.
  const shown = lines.length > fewLines ? lines.toSorted((one, other) => rankOf(one.line) - rankOf(other.line)) : lines
  const left = isWhole ? 0 : Math.max(0, shown.length - fewLines)
  return (
    <>
      {!data && (
        <tr className="line">
          <td colSpan={8}>
            <Unloaded query={query} />
          </td>
        </tr>
      )}
      {shown.slice(0, shown.length - left).map(({ line, turn }) => (
        <LineRow key={line.LineID} line={line} turn={turn} zone={zone} />
      ))}
      {left > 0 && (
        <tr className="line">
          <td colSpan={8}>
            <button type="button" className="text-link" onClick={() => setWhole(true)}>
              {t('moreLines', { count: left })}
            </button>
          </td>
        </tr>
      )}
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

const outcomeOf = ({ State, Refusal, Command }: Line) =>
  lineOutcome({ state: State, why: Refusal?.Key ?? null, command: Command?.State ?? null })
const rankOf = (line: Line): number => (isAmiss(outcomeOf(line)) ? 0 : 1)

function LineRow({ line, turn, zone }: { line: Line; turn: number; zone: string }) {
  const { t } = useTranslation(['runLog', 'automation', 'runWhy'])
  const { Action, Refusal, Command } = line
  const outcome = outcomeOf(line)
  const isProved = outcome === 'verified' || outcome === 'already'
  const isSwitched = Action === 'trip' || Action === 'close'
  const isNotSent = outcome === 'refused' || outcome === 'missed' || outcome === 'skipped' || outcome === 'stopped'
  const took = Command?.VerifiedAt ? Command.VerifiedAt - Command.RequestedAt : null
  return (
    <tr className="line">
      <td className="turn">{turn}</td>
      <td className="name" title={`${line.LineName} · ${line.ControllerID}${line.LineNo > 0 ? ` #${line.LineNo}` : ''}`}>
        <LineTag lineId={line.LineID} /> {line.LineName}
      </td>
      <td className="position">
        {isProved && isSwitched && <SwitchSymbol state={Action === 'trip' ? 'open' : 'closed'} />}
        {t(`automation:actions.${Action === 'selfTest' ? 'test' : Action}`)}
      </td>
      <td className="outcome">{isAmiss(outcome) ? <b>{t(`runWhy:outcomes.${outcome}`)}</b> : t(`runWhy:outcomes.${outcome}`)}</td>
      <td className="of-lines">
        {Command &&
          (Action === 'trip'
            ? clockToTenths(Command.RequestedAt, zone)
            : t('turnAt', { turn, time: clockToTenths(Command.RequestedAt, zone) }))}
      </td>
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

/** When a line was ordered: trips go at once, closes of a project in turns a second apart. */
const clockToTenths = (at: number, zone: string): string => new Date(civilZone(zone).wallAt(at)).toISOString().slice(11, 21)
