import type { LinkageEvidence, LinkageLogEntry } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { lineOutcome } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { orderDetails, paths } from '../../../paths.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { serverNow } from '../../../ui/use-now.ts'
import { loggedText } from '../parts/civil-text.ts'
import { CommandTrace } from '../parts/command-trace.tsx'
import { conditionText, valueText } from './condition-facts.ts'
import { useWhy } from './why-text.ts'

export const familyIn = ({ Family }: LinkageEvidence) => (Family === null ? null : familyOf(Family))
export const named = ({ Kind, Key, LineName }: LinkageEvidence) => ({ Kind, Key, LineName: LineName ?? '' })
export const outcomeOf = ({ State, Refusal, Command }: LinkageLogEntry['Lines'][number]) =>
  lineOutcome({ state: State, why: Refusal?.Key ?? null, command: Command?.State ?? null })

/** More lines than this are shown when somebody asks for them. */
const shownLines = 50

/** What decided a firing, what became of each line of it, and which runs led to it. */
export function LogDetails({ entry, zone }: { entry: LinkageLogEntry; zone: string }) {
  const { t } = useTranslation(['linkageLogTexts', 'linkages'])
  const why = useWhy()
  const { Conditions, Actor, Whole, Why } = entry
  return (
    <tr className="details">
      <td colSpan={6}>
        <ul aria-label={t('decidedBy')}>
          {Conditions.map((each) => (
            <Evidence key={`${each.LineID} ${each.Kind} ${each.Key} ${each.Op}`} evidence={each} at={entry.At} />
          ))}
        </ul>
        <Lines entry={entry} />
        <p className="mute">
          {[
            ...(Why === null ? [] : [why(Why)]),
            ...(Actor === null ? [] : [t('actor', { name: Actor })]),
            ...(Whole ? [] : [t('hidden')]),
          ].join(' · ')}
        </p>
        <Chain entry={entry} zone={zone} />
      </td>
    </tr>
  )
}

/** A condition with its value then: how old it was, and for how long it had been met. */
function Evidence({ evidence, at }: { evidence: LinkageEvidence; at: number }) {
  const { t } = useTranslation('linkageLogTexts')
  const { State, AgeMs, Since, Op, Limit, Value } = evidence
  const family = familyIn(evidence)
  return (
    <li>
      <span>
        <bdi>{conditionText({ ...named(evidence), Op, Value: Limit }, family)}</bdi> <LineTag lineId={evidence.LineID} />
      </span>
      <b>{valueText(evidence.LineName === null ? { Kind: evidence.Kind, Key: evidence.Key } : evidence, family, Value)}</b>
      <small>
        {[
          t(State === 'true' ? 'met' : State === 'false' ? 'unmet' : 'unknown'),
          ...(AgeMs === null ? [] : [t('age', { time: span(AgeMs) })]),
          ...(State === 'true' && Since !== null && at - Since >= 1_000 ? [t('since', { time: span(at - Since) })] : []),
        ].join(' · ')}
      </small>
    </li>
  )
}

function Lines({ entry: { Lines, Orders, WouldHave } }: { entry: LinkageLogEntry }) {
  const { t } = useTranslation(['linkageLogTexts', 'linkages'])
  const [isWhole, setWhole] = useState(false)
  const left = isWhole ? 0 : Math.max(0, Lines.length - shownLines)
  if (Lines.length + Orders.length + WouldHave.length === 0) return null
  return (
    <ul aria-label={t('done')}>
      {Lines.slice(0, Lines.length - left).map((line) => (
        <li key={`${line.Action} ${line.LineID}`}>
          <bdi>
            {t(`linkages:kinds.${line.Action}`)} {line.LineName} <LineTag lineId={line.LineID} />
          </bdi>
          <b>{t(`outcomes.${outcomeOf(line)}`)}</b>
          <small>
            {line.Refusal && localised(line.Refusal.Text)} {line.Command && <CommandTrace command={line.Command} />}
          </small>
        </li>
      ))}
      {left > 0 && (
        <li>
          <button type="button" className="text-link" onClick={() => setWhole(true)}>
            {t('moreLines', { count: left })}
          </button>
        </li>
      )}
      {Orders.map((order) => (
        <Ordered key={order.LineID} order={order} />
      ))}
      {Lines.length === 0 &&
        WouldHave.map(({ Kind, LineID, LineName, SceneID }) => (
          <li key={`${Kind} ${LineID} ${SceneID}`}>
            <span>
              <bdi>{t('would', { action: `${t(`linkages:kinds.${Kind}`).toLowerCase()} ${LineName ?? ''}` })}</bdi>{' '}
              <LineTag lineId={LineID} />
            </span>
            <b />
            <small>{t('noLines')}</small>
          </li>
        ))}
    </ul>
  )
}

/** A work order that it asked for, and the way to it. */
function Ordered({ order: { LineID, LineName, Outcome, Why, Order } }: { order: LinkageLogEntry['Orders'][number] }) {
  const { t } = useTranslation(['linkageLogTexts', 'linkages'])
  const mayOpen = useMayOpen(paths.workOrders)
  return (
    <li>
      <bdi>
        {t('linkages:kinds.workorder')} {LineName} <LineTag lineId={LineID} />
      </bdi>
      <b>{t(`orderOutcomes.${Outcome}`)}</b>
      <small>
        {Why !== null && t(`orderWhy.${Why}`)}
        {Order &&
          (mayOpen ? (
            <Link className="text-link" to={orderDetails(Order.OrderID)}>
              {Order.Number}
            </Link>
          ) : (
            Order.Number
          ))}
      </small>
    </li>
  )
}

/** The runs that led to it, the first first; each opens alone. */
function Chain({ entry: { Cause, ParentRunID, Chain }, zone }: { entry: LinkageLogEntry; zone: string }) {
  const { t } = useTranslation('linkageLogTexts')
  const before = new Set([...Cause, ...(ParentRunID === null ? [] : [ParentRunID])]).size
  if (before === 0) return null
  return (
    <p className="causes">
      <span className="mute">{t(ParentRunID !== null ? 'partOf' : 'causes')}</span>
      {Chain.map(({ RunID, Name, At }) => {
        const { date, time } = loggedText(At, zone, serverNow())
        return (
          <Link key={RunID} className="text-link" to={`${paths.linkageLog}?run=${RunID}`}>
            <bdi>{Name}</bdi> {date} {time}
          </Link>
        )
      })}
      {before > Chain.length && <span className="mute">{t('unseenCause')}</span>}
    </p>
  )
}
