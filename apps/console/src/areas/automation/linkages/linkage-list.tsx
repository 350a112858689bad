import type { Linkage } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { span } from '../../../ui/format.ts'
import { serverNow } from '../../../ui/use-now.ts'
import { minuteOf } from '../parts/civil-text.ts'
import { barShare, daysTried, mayClose, shadowDays, subjectOf } from './condition-facts.ts'
import { ConditionRows } from './condition-rows.tsx'
import { ModeWord } from './mode-mark.tsx'
import { useOutsideHours } from './use-outside-hours.ts'
import './linkage-list.css'

/** The linkages, what needs somebody first. With one of them open the list narrows to what it is and where its conditions stand. */
export function LinkageList({
  linkages,
  isWaiting,
  open,
  onOpen,
}: {
  linkages: readonly Linkage[]
  /** They are those of the former question, until the answer to the present one is there. */
  isWaiting: boolean
  /** Which one's details are shown; null: none. */
  open: number | null
  onOpen: (linkageId: number) => void
}) {
  const { t } = useTranslation('linkages')
  // Alarms, states and links have no value that is on its way to a limit.
  const hasBars = linkages.some(({ Conditions }) => Conditions.some((each) => barShare(each) !== null))
  const className = ['list-table linkage-list', isWaiting ? 'waiting' : '', hasBars ? '' : 'barless'].join(' ')
  return (
    <table className={className.trim()} aria-label={t('title')}>
      <thead>
        <tr>
          <th>{t('name')}</th>
          <th>{t('state')}</th>
          <th>
            <span className="condition-rows">
              <span>{t('condition')}</span>
              <span className="condition-now">{t('now')}</span>
              <span className="bar-head">{t('bar')}</span>
            </span>
          </th>
          <th className="alone">{t('action')}</th>
          <th className="alone">{t('lastRun')}</th>
        </tr>
      </thead>
      <tbody>
        {linkages.map((linkage) => (
          <Row
            key={linkage.LinkageID}
            linkage={linkage}
            isOpen={linkage.LinkageID === open}
            onOpen={() => onOpen(linkage.LinkageID)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({ linkage, isOpen, onOpen }: { linkage: Linkage; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation('linkages')
  const { Name, Mark, LastRun, Orphan } = linkage
  const isOutside = useOutsideHours(linkage)
  return (
    // The button in it does the same by keys; the row is only a larger place to press.
    <tr className={`opens ${Mark}${isOpen ? ' chosen' : ''}`} onClick={onOpen}>
      <td className="what">
        <span className="two-lines">
          <button type="button" aria-expanded={isOpen}>
            <bdi>{Name}</bdi>
          </button>
          <small>
            {Orphan && <b className="orphan">{t('orphan')}</b>}
            <About linkage={linkage} />
          </small>
        </span>
      </td>
      <td className="mode-cell">
        <ModeWord mark={Mark} />
      </td>
      <td className="conditions">
        <ConditionRows conditions={linkage.Conditions} isOutside={isOutside} />
      </td>
      <td className="alone">
        <ActionWords actions={linkage.Actions} />
      </td>
      <td className="alone">{LastRun ? minuteOf(LastRun.At, linkage.TimeZone) : <span className="mute">{t('never')}</span>}</td>
    </tr>
  )
}

/** What of it a person should know first: why it stands still, how long it has been tried, or how its conditions hang together. */
export function About({ linkage }: { linkage: Linkage }) {
  const { t } = useTranslation('linkages')
  const { Mark, HaltedWhy, Conditions, BlindConditions, ActiveHours, Match, Whole } = linkage
  if (Mark === 'halted' && HaltedWhy) return t(`haltedWhy.${HaltedWhy}`)
  const blind = Conditions[BlindConditions[0] ?? -1]
  if (Mark === 'blind' && blind) return t('blindOf', { name: subjectOf(blind, familyOf(blind.Family)) })
  const tried = daysTried(linkage, serverNow())
  if (Mark === 'shadow' && tried !== null)
    return tried >= shadowDays && mayClose(linkage) ? t('triedEnough', { count: tried }) : t('tried', { day: tried + 1 })
  const [hours] = ActiveHours
  return [
    Conditions.length > 1 ? t(Match === 'all' ? 'matchAll' : 'matchAny') : t('single'),
    ...(hours ? [`${hours.From}–${hours.To}`] : []),
    ...(Whole ? [] : [t('unseenPart')]),
  ].join(' · ')
}

const shownActions = 2

/** What it does, the first of it by name. */
export function ActionWords({ actions }: { actions: Linkage['Actions'] }) {
  const { t } = useTranslation('linkages')
  const shown = actions.slice(0, shownActions)
  return (
    <span className="two-lines">
      {shown.map(({ Kind, LineID, SceneID, LineName, SceneName, Gone, DelayS }, index) => (
        <span key={`${Kind} ${LineID} ${SceneID}`}>
          {t(`kinds.${Kind}`)} <LineTag lineId={LineID} />{' '}
          <bdi>{LineName ?? SceneName ?? (Gone ? t(Kind === 'scene' ? 'goneScene' : 'goneLine') : '–')}</bdi>
          {Gone && <i className="linkage-gone">{t('gone')}</i>}
          {DelayS > 0 && <small> {t('delayed', { time: span(DelayS * 1_000) })}</small>}
          {index === shown.length - 1 && actions.length > shown.length && (
            <small> {t('andMore', { count: actions.length })}</small>
          )}
        </span>
      ))}
    </span>
  )
}
