import type { getHazard, Hazard, HazardOrigin, HazardStep, Reply } from '@linewarden/contract'
import { getHazard as getHazardCall, placeNames } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { alarmDetails, gatewayLive, healthCheckDetails, lineDrawer, paths } from '../../paths.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { clockMinute, dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { HazardLevel, sourceMarks } from './hazard-marks.tsx'
import { AlarmNode, ChainNode } from './order-chain.tsx'
import { ProofMark } from './order-marks.tsx'
import { useOrderAddress } from './use-order-address.ts'
import './order-drawer.css'

const everyMs = 30_000

/** One hazard: what showed it, what sees to it, what proves that it is gone, and everything that happened to it. */
export function HazardDrawer({ hazardId, onClose }: { hazardId: number; onClose: () => void }) {
  const { t } = useTranslation(['hazards', 'workOrders'])
  const query = useCall(getHazardCall, { params: { HazardID: hazardId } }, { refetchInterval: everyMs })
  const { data } = query
  if (!data)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  const { Hazard: hazard } = data
  return (
    <Drawer
      label={t('details')}
      title={
        <>
          <h2>{localised(hazard.Label)}</h2>
          <span className="order-state">{t(`workOrders:hazards.${hazard.State}`)}</span>
          <HazardLevel level={hazard.Level} />
        </>
      }
      subtitle={
        <p className="mute">
          <Place names={placeNames(hazard.Where)} between=" › " /> <LineTag lineId={hazard.LineID} />
        </p>
      }
      foot={<Foot hazard={hazard} />}
      onClose={onClose}
    >
      <div className="drawer-parts">
        <Unloaded query={query} />
        <Chain details={data} />
        <Facts hazard={hazard} />
        <Sources sources={data.Sources} kept={new Set(data.Events.map(({ EventID }) => EventID))} />
        <History steps={data.Steps} />
      </div>
    </Drawer>
  )
}

/** From what showed it to the proof that it is gone. */
function Chain({ details: { Hazard: hazard, Events } }: { details: Reply<typeof getHazard> }) {
  const { t } = useTranslation(['hazards', 'workOrders'])
  const [event] = Events
  const { Order: order, State, Verification } = hazard
  return (
    <section className="part" aria-label={t('chain')}>
      <ol className="order-chain">
        {event ? (
          <AlarmNode event={event} count={hazard.Count} />
        ) : (
          <ChainNode mark={<Mark kind={sourceMarks[hazard.Source]} size={18} />} title={t(`sources.${hazard.Source}`)} isDone>
            <span>{clockMinute(hazard.FirstSeen)}</span>
          </ChainNode>
        )}
        <ChainNode mark={<Mark kind="warning" size={18} />} title={t('of')} isDone={order !== null || State === 'gone'}>
          <span>{t(`workOrders:hazards.${State}`)}</span>
          <span>{t('times', { count: hazard.Count })}</span>
        </ChainNode>
        <ChainNode
          mark={<Mark kind="order" size={18} />}
          title={t('workOrders:order')}
          isDone={State === 'verifying' || State === 'gone'}
        >
          <span>{order ? `${order.Number} · ${t(`workOrders:statuses.${order.Status}`)}` : t('noOrder')}</span>
        </ChainNode>
        <ChainNode mark={null} title={t('workOrders:closeOut')} isDone={State === 'gone'}>
          {Verification && Verification.State !== 'none' ? (
            <ProofMark verification={Verification} />
          ) : (
            <span>{State === 'gone' ? t('workOrders:hazards.gone') : t('workOrders:notProcessedYet')}</span>
          )}
        </ChainNode>
      </ol>
    </section>
  )
}

function Facts({ hazard }: { hazard: Hazard }) {
  const { t } = useTranslation(['hazards', 'workOrders'])
  const mayWatch = useMayOpen(paths.realtime)
  const { HouseID, DeviceID, LineID } = hazard
  // One of a named place, or of a project as a whole, has no gateway.
  const to = LineID !== null ? lineDrawer(HouseID, LineID) : DeviceID !== null ? gatewayLive(HouseID, DeviceID) : null
  const facts: readonly (readonly [string, string | null])[] = [
    [t('firstSeen'), dayTime(hazard.FirstSeen)],
    [t('lastSeen'), dayTime(hazard.LastSeen)],
    [t('source'), t(`sources.${hazard.Source}`)],
    [t('riskUntil'), hazard.RiskUntil === null ? null : dayTime(hazard.RiskUntil)],
  ]
  return (
    <section className="part" aria-label={t('facts')}>
      <h3>{t('facts')}</h3>
      <dl className="order-facts">
        {facts.flatMap(([name, value]) =>
          value === null
            ? []
            : [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>,
              ],
        )}
      </dl>
      {(hazard.State === 'open' || hazard.State === 'accepted') && <p className="mute">{t('verifiedWhen')}</p>}
      {mayWatch && to !== null && (
        <p>
          <Link className="text-link" to={to}>
            {t('workOrders:toLine')}
          </Link>
        </p>
      )}
    </section>
  )
}

/** Each alarm, finding, test, check and patrol that showed it. */
function Sources({ sources, kept }: { sources: readonly HazardOrigin[]; kept: ReadonlySet<string> }) {
  const { t } = useTranslation('hazards')
  if (sources.length === 0) return null
  return (
    <section className="part" aria-label={t('shownBy')}>
      <h3>
        {t('shownBy')} <small>{t('shownByHint')}</small>
      </h3>
      <ol className="order-history">
        {sources.map((source) => (
          <li key={`${source.Source} ${source.SourceID}`}>
            <time dateTime={new Date(source.At).toISOString()}>{clockMinute(source.At)}</time>
            <b>{t(`sources.${source.Source}`)}</b>
            <span>
              <SourceLink source={source} isKept={kept.has(source.SourceID)} />
            </span>
            <i>{t(`levels.${source.Level}`)}</i>
          </li>
        ))}
      </ol>
    </section>
  )
}

function SourceLink({ source: { Source, SourceID }, isKept }: { source: HazardOrigin; isKept: boolean }) {
  const { t } = useTranslation('hazards')
  const [mayList, mayExamine] = [useMayOpen(paths.alarms), useMayOpen(paths.healthCheck)]
  if (Source === 'alarm' || Source === 'finding') {
    if (!mayList || !isKept) return SourceID
    return (
      <Link className="text-link" to={alarmDetails(SourceID)}>
        {SourceID}
      </Link>
    )
  }
  if (Source !== 'exam') return null
  const [check = ''] = SourceID.split(':')
  const name = t('examNo', { number: check })
  return mayExamine ? (
    <Link className="text-link" to={healthCheckDetails(Number(check))}>
      {name}
    </Link>
  ) : (
    name
  )
}

function History({ steps }: { steps: readonly HazardStep[] }) {
  const { t } = useTranslation(['hazards', 'workOrders'])
  const textOf = ({ Act, From, To, Until, Reason, OrderNumber, Source }: HazardStep) =>
    [
      Act === 'found' || Act === 'seen' ? (Source === null ? '' : t(`sources.${Source}`)) : '',
      OrderNumber ?? '',
      From !== null && From !== To ? t('toState', { state: t(`workOrders:hazards.${To}`) }) : '',
      Until === null ? '' : t('workOrders:until', { time: clockMinute(Until) }),
      Act === 'graver' ? t(`levels.${Reason as Hazard['Level']}`) : Reason,
    ]
      .filter((part) => part !== '')
      .join(' · ')
  return (
    <section className="part" aria-label={t('history')}>
      <h3>
        {t('history')} <small>{t('onlyAdded')}</small>
      </h3>
      <ol className="order-history">
        {steps.map((step) => (
          <li key={step.StepID}>
            <time dateTime={new Date(step.At).toISOString()}>{clockMinute(step.At)}</time>
            <b>{t(`steps.${step.Act}`)}</b>
            <span>{textOf(step)}</span>
            <i>{step.Actor ?? t('workOrders:system')}</i>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** An order of it, or its own; and to run with it until a day. */
function Foot({ hazard }: { hazard: Hazard }) {
  const { t } = useTranslation('hazards')
  const mayEdit = useMayEdit()
  const { write, showOrder } = useOrderAddress()
  const [asking, setAsking] = useState(false)
  const { HazardID, Order, State, AcceptRefusal } = hazard
  const isFree = State === 'open' || State === 'accepted'
  return (
    <div className="drawer-foot order-foot">
      {isFree && mayEdit && (
        <button type="button" className="btn large primary" onClick={() => write(`h${HazardID}`)}>
          {t('makeOrder')}
        </button>
      )}
      {isFree && mayEdit && (
        <ReasonedButton className="btn large" reason={AcceptRefusal && localised(AcceptRefusal)} onClick={() => setAsking(true)}>
          {t('accept')}
        </ReasonedButton>
      )}
      {Order && (
        <button type="button" className={isFree ? 'btn quiet' : 'btn large'} onClick={() => showOrder(Order.OrderID)}>
          {t('openOrder', { number: Order.Number })}
        </button>
      )}
      {asking && <AcceptDialog hazard={hazard} onClose={() => setAsking(false)} />}
    </div>
  )
}
