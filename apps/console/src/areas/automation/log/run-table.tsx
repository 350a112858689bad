import type { RunEntry } from '@linewarden/contract'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { span } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { loggedText } from '../parts/civil-text.ts'
import { RunStateWord } from '../parts/run-state.tsx'
import type { ZoneOf } from '../parts/use-zones.ts'
import { RunLines } from './run-lines.tsx'
import { countsText, lateText, reasonsOf } from './run-reasons.ts'
import '../../../ui/list.css'
import './log.css'

interface Props {
  readonly label: string
  readonly runs: readonly RunEntry[]
  readonly zoneOf: ZoneOf
  /** They are those of the former question, until the answer to the present one is there. */
  readonly isWaiting: boolean
  /** They stand in groups: what was not done first. */
  readonly isGrouped: boolean
  /** The run whose lines are shown; null: none. */
  readonly open: string | null
  readonly onOpen: (executionId: string | null) => void
}

/** Runs of one kind, each of which opens to one row per line. */
export function RunTable({ label, runs, zoneOf, isWaiting, isGrouped, open, onOpen }: Props) {
  const { t } = useTranslation(['runLog', 'automation'])
  const isOfTimers = runs.some(({ Source }) => Source === 'timer')
  return (
    <table className={isWaiting ? 'list-table run-log waiting' : 'list-table run-log'} aria-label={label}>
      <thead>
        <tr>
          <th>{t(isOfTimers ? 'due' : 'begun')}</th>
          <th>{t(isOfTimers ? 'name' : 'scene')}</th>
          <th>{t(isOfTimers ? 'action' : 'who')}</th>
          <th>{t('result')}</th>
          <th>{t('lines')}</th>
          <th className="end">{isOfTimers && t('late')}</th>
          <th className="end">{t('took')}</th>
          <th className="why">{t('reason')}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run, index) => (
          <Fragment key={run.RunID}>
            {isGrouped && groupOf(run) !== groupOf(runs[index - 1]) && (
              <tr className="group">
                <th colSpan={8} scope="rowgroup">
                  {t(`count.${groupOf(run) ?? 'done'}`)}
                </th>
              </tr>
            )}
            <Row run={run} zone={zoneOf(run.HouseID)} isOpen={run.RunID === open} onOpen={onOpen} />
            {run.RunID === open && <RunLines run={run} zone={zoneOf(run.HouseID)} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

/** The same groups as the order of the server has them. */
function groupOf(run: RunEntry | undefined): 'running' | 'amiss' | 'done' | null {
  if (!run) return null
  if (run.State === 'running') return 'running'
  return run.State === 'done' || run.State === 'merged' ? 'done' : 'amiss'
}

function Row({
  run,
  zone,
  isOpen,
  onOpen,
}: {
  run: RunEntry
  zone: string
  isOpen: boolean
  onOpen: (executionId: string | null) => void
}) {
  const { t } = useTranslation(['runLog', 'automation'])
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const { date, time } = loggedText(run.DueAt ?? run.ClaimedAt, zone, minute * 60_000)
  const isSent = run.Counts.Verified + run.Counts.UnderWay + run.Counts.Failed + run.Counts.Unknown > 0
  const reasons = reasonsOf(run)
  return (
    // The button in it does the same by keys; the row is only a larger place to press.
    <tr className={isOpen ? 'opens run chosen' : 'opens run'} onClick={() => onOpen(isOpen ? null : run.RunID)}>
      <td className="when">
        <button type="button" aria-expanded={isOpen} aria-label={t('open', { name: run.Name, time: `${date} ${time}` })}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {date} <b>{time}</b>
        </button>
      </td>
      <td className="name" title={run.Name}>
        <b>{run.Name}</b>
      </td>
      <td className="action">{run.Source === 'timer' ? run.Action && t(`automation:actions.${run.Action}`) : run.Actor}</td>
      <td className="outcome">
        <RunStateWord state={run.State} />
      </td>
      <td className="of-lines">{countsText(run) || '–'}</td>
      <td className="end late">{run.DueAt === null ? '' : isSent ? lateText(run.ClaimedAt - run.DueAt) : t('notSent')}</td>
      <td className="end took">{isSent && run.EndedAt !== null ? span(run.EndedAt - run.ClaimedAt) : '–'}</td>
      <td className="why" title={reasons.join('\n')}>
        {reasons.join(' · ')}
      </td>
    </tr>
  )
}
