import type { LinkageLogEntry } from '@linewarden/contract'
import { lineOutcomes } from '@linewarden/rules/automation'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { loggedText } from '../parts/civil-text.ts'
import { RunStateWord } from '../parts/run-state.tsx'
import { signOf, subjectOf, valueText } from './condition-facts.ts'
import { familyIn, LogDetails, named, outcomeOf } from './log-details.tsx'
import { ModeMark } from './mode-mark.tsx'
import { useWhy } from './why-text.ts'

const keyOf = ({ RunID, LinkageID, At, Why }: LinkageLogEntry): string => RunID ?? `${LinkageID} ${At} ${Why}`
/** Firings, newest first, each of which opens to what decided it and what became of each line. */
export function LogTable({
  entries,
  zoneOf,
  isAlone,
}: {
  entries: readonly LinkageLogEntry[]
  zoneOf: (houseId: number) => string
  /** A link names this one: it is open. */
  isAlone: boolean
}) {
  const { t } = useTranslation('linkageLogTexts')
  const [open, setOpen] = useState<string | null>(null)
  return (
    <table className="list-table linkage-log-list" aria-label={t('title')}>
      <thead>
        <tr>
          <th>{t('time')}</th>
          <th>{t('name')}</th>
          <th>{t('result')}</th>
          <th>{t('conditions')}</th>
          <th className="wide">{t('lines')}</th>
          <th className="wide">{t('reason')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const key = keyOf(entry)
          const isOpen = isAlone || key === open
          return (
            <Fragment key={key}>
              <Row entry={entry} zone={zoneOf(entry.HouseID)} isOpen={isOpen} onOpen={() => setOpen(isOpen ? null : key)} />
              {isOpen && <LogDetails entry={entry} zone={zoneOf(entry.HouseID)} />}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

function Row({ entry, zone, isOpen, onOpen }: { entry: LinkageLogEntry; zone: string; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation(['linkageLogTexts', 'automation'])
  const why = useWhy()
  const hour = useByNow((now) => Math.floor(now / 3_600_000))
  const { date, time } = loggedText(entry.At, zone, hour * 3_600_000)
  return (
    // The button in it does the same by keys; the row is only a larger place to press.
    <tr className={`opens ${entry.Mode}${isOpen ? ' chosen' : ''}${entry.State === null ? ' near' : ''}`} onClick={onOpen}>
      <td className="when">
        <button type="button" aria-expanded={isOpen} aria-label={t('open', { name: entry.Name, time: `${date} ${time}` })}>
          <Icon name={isOpen ? 'down' : 'right'} />
          {date} <b>{time}</b>
        </button>
      </td>
      <td className="name" title={entry.Name}>
        <b>
          <bdi>{entry.Name}</bdi>
        </b>
      </td>
      <td className="result">
        <span className="mode">
          {entry.Mode === 'shadow' && <ModeMark mark="shadow" />}
          {entry.State === null ? t('nearly') : entry.Mode === 'shadow' ? t('shadow') : <RunStateWord state={entry.State} />}
        </span>
      </td>
      <td className="values">
        {entry.Conditions.map((each) => (
          <span key={`${each.LineID} ${each.Kind} ${each.Key} ${each.Op}`}>
            <bdi>{subjectOf(named(each), familyIn(each))}</bdi> <LineTag lineId={each.LineID} />{' '}
            <b>{valueText(each, familyIn(each), each.Value)}</b>
            <small>
              {' '}
              {signOf(each.Op)} {valueText(each, familyIn(each), each.Limit)}
            </small>
          </span>
        ))}
      </td>
      <td className="wide">
        <DoneWords entry={entry} />
      </td>
      <td className="wide why">{entry.Why === null ? '' : why(entry.Why)}</td>
    </tr>
  )
}

const shownWould = 2

/** How many lines ended how; in shadow mode, what would have been done. */
function DoneWords({ entry: { Lines, WouldHave } }: { entry: LinkageLogEntry }) {
  const { t } = useTranslation(['linkageLogTexts', 'linkages'])
  if (Lines.length > 0)
    return lineOutcomes
      .flatMap((outcome) => {
        const count = Lines.filter((line) => outcomeOf(line) === outcome).length
        return count > 0 ? [t('counts', { outcome: t(`outcomes.${outcome}`), count })] : []
      })
      .join(' · ')
  if (WouldHave.length === 0) return <span className="mute">–</span>
  const words = WouldHave.slice(0, shownWould).map(
    ({ Kind, LineName }) => `${t('would', { action: t(`linkages:kinds.${Kind}`).toLowerCase() })} ${LineName ?? ''}`,
  )
  return [...words, ...(WouldHave.length > shownWould ? [t('more', { count: WouldHave.length })] : [])].join(' · ')
}
