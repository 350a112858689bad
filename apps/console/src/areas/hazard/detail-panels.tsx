import type { Analysis } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { changeOf, minForShares } from '@linewarden/rules/hazard'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSelection } from '../../plant/selection.ts'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { AnalysisAddress } from './address.ts'
import { changePercent, count, duration, percent, seconds } from './figures.ts'
import { listBehind, selectionOf } from './links.ts'
import { Panel } from './panel.tsx'

interface Props {
  readonly data: Analysis
  readonly address: AnalysisAddress
}

function Rows({ children }: { children: ReactNode }) {
  return (
    <table className="rows">
      <tbody>{children}</tbody>
    </table>
  )
}

function Row({ what, figure, note }: { what: ReactNode; figure: ReactNode; note?: ReactNode }) {
  return (
    <tr>
      <th scope="row">{what}</th>
      <td className="end">{figure}</td>
      <td className="end mute">{note}</td>
    </tr>
  )
}

/** Floods, the worst first; each opens what came in it. */
export function FloodPanel({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  return (
    <Panel title={t('floodList')}>
      {data.Floods.Worst.length === 0 ? (
        <p className="mute">{t('noFloods')}</p>
      ) : (
        <Rows>
          {data.Floods.Worst.map(({ From, To, Announced, Peak }) => (
            <Row
              key={From}
              what={dayTime(From)}
              figure={<Link to={listBehind(address, selection, { from: From, to: To })}>{count(Announced)}</Link>}
              note={t('floodRow', { time: duration(To - From), peak: Peak })}
            />
          ))}
        </Rows>
      )}
    </Panel>
  )
}

/** What has been active for more than a day and still is. */
export function LongActivePanel({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const { Now, NowCount } = data.LongActive
  return (
    <Panel title={t('longList')} {...(NowCount > Now.length && { hint: t('longMore', { count: NowCount, shown: Now.length }) })}>
      {Now.length === 0 ? (
        <p className="mute">{t('noLong')}</p>
      ) : (
        <Rows>
          {Now.map((event) => (
            <Row
              key={event.EventID}
              what={
                <>
                  {localised(event.Label)}
                  <small>
                    <Place names={placeNames(event.Where)} between=" › " />
                  </small>
                </>
              }
              figure={
                <Link to={listBehind(address, selection, { open: true, keys: [event.Key], event: event.EventID })}>
                  {t('since', { time: duration(serverNow() - event.LastRaisedAt) })}
                </Link>
              }
              note={t(`priorities.${event.Priority}`)}
            />
          ))}
        </Rows>
      )}
    </Panel>
  )
}

/** How long people took to acknowledge, by priority. */
export function ResponsePanel({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const range = { from: data.From, to: data.To }
  return (
    <Panel title={t('responses')} hint={t('responsesHint')}>
      <table className="rows">
        <thead>
          <tr>
            <th>{t('priority')}</th>
            <th className="end">{t('acknowledged')}</th>
            <th className="end">{t('median')}</th>
            <th className="end">{t('p90')}</th>
            <th className="end">{t('limit')}</th>
          </tr>
        </thead>
        <tbody>
          {data.Responses.map(({ Priority, Acknowledged, MedianS, P90S, LimitS, Verdict }) => (
            <tr key={Priority}>
              <th scope="row">{t(`priorities.${Priority}`)}</th>
              <td className="end">
                <Link to={listBehind(address, selection, { ...range, priorities: [Priority] })}>{count(Acknowledged)}</Link>
              </td>
              <td className="end">{seconds(MedianS)}</td>
              <td className={Verdict === 'missed' ? 'end missed' : 'end'}>
                {Verdict === 'missed' && <Mark kind="warning" />}
                {seconds(P90S)}
              </td>
              <td className="end mute">{seconds(LimitS)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** Alarms that are none: chatter, what is gone at once, and what nobody had to act on. */
export function ChatterPanel({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const { Total, Before, ChatterPlaces } = data
  const before = (now: number, then: number | undefined) => {
    const change = then === undefined ? null : changeOf(now, then)
    return [
      Total.Raised < minForShares ? null : percent(now / Total.Raised),
      then === undefined ? null : `${t('before')} ${count(then)}${change === null ? '' : ` (${changePercent(change)})`}`,
    ]
      .filter(Boolean)
      .join(' · ')
  }
  const list = listBehind(address, selection, { from: data.From, to: data.To })
  return (
    <Panel title={t('chatter')} hint={t('chatterTarget')}>
      <Rows>
        <Row
          what={t('bursts')}
          figure={t('stretches', { count: Total.Bursts })}
          note={t('burstPlaces', { count: ChatterPlaces })}
        />
        <Row
          what={t('fleeting')}
          figure={t('counted', { count: Total.Fleeting })}
          note={before(Total.Fleeting, Before?.Fleeting)}
        />
        <Row
          what={t('unjustified')}
          figure={t('counted', { count: Total.Unjustified })}
          note={before(Total.Unjustified, Before?.Unjustified) || t('unjustifiedHint')}
        />
        <Row what={t('raised')} figure={<Link to={list}>{t('counted', { count: Total.Raised })}</Link>} note={t('raisedHint')} />
      </Rows>
    </Panel>
  )
}

/** Shelf and tags, one by one: an average would hide the one that is always there. */
export function SuppressedPanel({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const [selection] = useSelection()
  const { Suppressed, Total } = data
  return (
    <Panel title={t('suppressed')} hint={t('suppressedHint')}>
      {Suppressed.length === 0 && Total.Folded === 0 ? (
        <p className="mute">{t('noSuppressed')}</p>
      ) : (
        <Rows>
          {Suppressed.map((each) => {
            const at = selectionOf(each)
            const words = t(each.How === 'shelf' ? 'shelved' : 'tagged', { time: duration(each.Ms) })
            const behind = { from: data.From, to: data.To, ...(at && { at }), ...(each.Event && { keys: [each.Event.Key] }) }
            return (
              <Row
                key={`${each.How} ${each.Event?.EventID} ${each.DeviceID} ${each.ControllerID} ${each.LineID}`}
                what={
                  <>
                    {each.Event ? localised(each.Event.Label) : (each.Where.LineName ?? each.Where.GatewayName ?? '–')}
                    <small>
                      <Place names={placeNames(each.Where)} between=" › " />
                    </small>
                  </>
                }
                figure={<Link to={listBehind(address, selection, behind)}>{words}</Link>}
                note={t('suppressedTimes', { count: each.Times, longest: duration(each.LongestMs) })}
              />
            )
          })}
          {Total.Folded > 0 && (
            <Row what={t('folded')} figure={t('foldedCount', { count: Total.Folded })} note={t('foldedHint')} />
          )}
        </Rows>
      )}
    </Panel>
  )
}

/** Silence is good only with data. */
export function QuietPanel({ data }: { data: Analysis }) {
  const { t } = useTranslation('analysis')
  const { All, Availability, Quiet, QuietWithReadings } = data.Lines
  const words = {
    all: count(All),
    percent: percent(Availability),
    quiet: count(Quiet),
    known: count(QuietWithReadings),
    blind: count(Quiet - QuietWithReadings),
  }
  return (
    <Panel title={t('quiet')}>
      <p>{t(Availability === null ? 'quietUnknown' : 'quietLines', words)}</p>
    </Panel>
  )
}
