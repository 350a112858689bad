import type { Analysis } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import { changeOf, minForShares } from '@linewarden/rules/hazard'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { lineDrawer } from '../../paths.ts'
import { useSelection } from '../../plant/selection.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { AnalysisAddress } from './address.ts'
import { FigureLink } from './figure-link.tsx'
import { changePercent, count, duration, percent, seconds } from './figures.ts'
import { daysIn, listBehind, selectionOf } from './links.ts'
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
              figure={
                <FigureLink address={address} behind={{ counted: 'announced', from: From, to: To }} n={Announced}>
                  {count(Announced)}
                </FigureLink>
              }
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
    <Panel
      title={t('longList')}
      {...(NowCount > Now.length && {
        hint: (
          <FigureLink address={address} behind={{ counted: 'longActive', from: data.AsOf }} n={NowCount}>
            {t('longMore', { count: NowCount, shown: Now.length })}
          </FigureLink>
        ),
      })}
    >
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
                    <LineTag lineId={event.LineID} /> <Place names={placeNames(event.Where)} between=" › " />
                  </small>
                </>
              }
              figure={
                <Link to={listBehind(address, selection, { counted: null, open: true, keys: [event.Key], event: event.EventID })}>
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
                <FigureLink
                  address={address}
                  behind={{ counted: 'acknowledged', days: daysIn(data), priorities: [Priority] }}
                  n={Acknowledged}
                >
                  {count(Acknowledged)}
                </FigureLink>
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
  const { Total, Before, ChatterPlaces } = data
  const link = (counted: 'bursts' | 'fleeting' | 'unjustified' | 'raised', n: number, words: string) => (
    <FigureLink address={address} behind={{ counted, days: daysIn(data) }} n={n}>
      {words}
    </FigureLink>
  )
  const before = (counted: 'fleeting' | 'unjustified', now: number, then: number | undefined) => {
    if (then === undefined) return null
    const change = changeOf(now, then)
    return (
      <FigureLink address={address} behind={{ counted, days: daysIn(data, 'before') }} n={then}>
        {`${t('before')} ${count(then)}${change === null ? '' : ` (${changePercent(change)})`}`}
      </FigureLink>
    )
  }
  const share = (now: number) => (Total.Raised < minForShares ? null : `${percent(now / Total.Raised)} · `)
  return (
    <Panel title={t('chatter')} hint={t('chatterTarget')}>
      <Rows>
        <Row
          what={t('bursts')}
          figure={link('bursts', Total.Bursts, t('stretches', { count: Total.Bursts }))}
          note={t('burstPlaces', { count: ChatterPlaces })}
        />
        <Row
          what={t('fleeting')}
          figure={link('fleeting', Total.Fleeting, t('counted', { count: Total.Fleeting }))}
          note={
            <>
              {share(Total.Fleeting)}
              {before('fleeting', Total.Fleeting, Before?.Fleeting)}
            </>
          }
        />
        <Row
          what={t('unjustified')}
          figure={link('unjustified', Total.Unjustified, t('counted', { count: Total.Unjustified }))}
          note={
            <>
              {share(Total.Unjustified)}
              {before('unjustified', Total.Unjustified, Before?.Unjustified) ?? t('unjustifiedHint')}
            </>
          }
        />
        <Row
          what={t('raised')}
          figure={link('raised', Total.Raised, t('counted', { count: Total.Raised }))}
          note={t('raisedHint')}
        />
      </Rows>
    </Panel>
  )
}

/** Shelf and tags, one by one: an average would hide the one that is always there. */
export function SuppressedPanel({ data, address }: Props) {
  const { t } = useTranslation('analysis')
  const { Suppressed, Total } = data
  return (
    <Panel title={t('suppressed')} hint={t('suppressedHint')}>
      {Suppressed.length === 0 && Total.Folded === 0 ? (
        <p className="mute">{t('noSuppressed')}</p>
      ) : (
        <Rows>
          {Suppressed.map((each) => {
            const words = t(each.How === 'shelf' ? 'shelved' : 'tagged', { time: duration(each.Ms) })
            return (
              <Row
                key={`${each.How} ${each.Event?.EventID} ${each.DeviceID} ${each.ControllerID} ${each.LineID}`}
                what={
                  <>
                    {each.Event ? localised(each.Event.Label) : (each.Where.LineName ?? each.Where.GatewayName ?? '–')}
                    <small>
                      <LineTag lineId={each.LineID} /> <Place names={placeNames(each.Where)} between=" › " />
                    </small>
                  </>
                }
                figure={<SuppressedLink each={each} address={address} words={words} />}
                note={t('suppressedTimes', { count: each.Times, longest: duration(each.LongestMs) })}
              />
            )
          })}
          {Total.Folded > 0 && (
            <Row
              what={t('folded')}
              figure={
                <FigureLink address={address} behind={{ counted: 'folded', days: daysIn(data) }} n={Total.Folded}>
                  {t('foldedCount', { count: Total.Folded })}
                </FigureLink>
              }
              note={t('foldedHint')}
            />
          )}
        </Rows>
      )}
    </Panel>
  )
}

/** What was on the shelf opens its event, which says by whom and why; a tag hangs on its line. */
function SuppressedLink({
  each,
  address,
  words,
}: {
  each: Analysis['Suppressed'][number]
  address: AnalysisAddress
  words: string
}) {
  const [selection] = useSelection()
  const { Event, HouseID, LineID } = each
  const at = selectionOf(each)
  if (Event)
    return (
      <Link to={listBehind(address, selection, { counted: null, ...(at && { at }), keys: [Event.Key], event: Event.EventID })}>
        {words}
      </Link>
    )
  if (HouseID !== null && LineID !== null) return <Link to={lineDrawer(HouseID, LineID)}>{words}</Link>
  return words
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
