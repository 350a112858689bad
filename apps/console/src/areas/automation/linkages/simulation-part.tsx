import type { Linkage, LinkageForm, LinkageSimulation } from '@linewarden/contract'
import { simulateLinkage } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { meets } from '@linewarden/rules/automation'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { Failed, Loading } from '../../../ui/body-state.tsx'
import { span } from '../../../ui/format.ts'
import { Mark } from '../../../ui/mark.tsx'
import { minuteOf, whenOf } from '../parts/civil-text.ts'
import { subjectOf, valueText } from './condition-facts.ts'
import { formOfLinkage } from './form-of.ts'
import { SimulationChart } from './simulation-chart.tsx'
import type { LaneSubject } from './simulation-picture.ts'

/** Whose past is replayed: what is sent, and how its conditions are called. */
export interface Simulated {
  readonly HouseID: number
  readonly TimeZone: string
  readonly form: LinkageForm
  readonly conditions: readonly SimulatedCondition[]
}

interface SimulatedCondition extends Pick<Linkage['Conditions'][number], 'Kind' | 'Key' | 'Op' | 'Value' | 'LineName'> {
  readonly Family: string
}

type Course =
  | { readonly state: 'none' | 'running' }
  | { readonly state: 'failed'; readonly why: string }
  | { readonly state: 'there'; readonly simulation: LinkageSimulation; readonly of: Simulated }

const replayTimeoutMs = 30_000

/** The same of a stored linkage. */
export function SimulationPart({ linkage }: { linkage: Linkage }) {
  const { HouseID, TimeZone, Conditions } = linkage
  return <Simulation of={() => ({ HouseID, TimeZone, form: formOfLinkage(linkage), conditions: Conditions })} />
}

/** When it would have fired in the last 30 days. Whoever leaves ends the question. */
export function Simulation({ of }: { of: () => Simulated | null }) {
  const { t } = useTranslation('linkages')
  const [course, setCourse] = useState<Course>({ state: 'none' })
  const asked = useRef<AbortController | null>(null)
  useEffect(() => () => asked.current?.abort(), [])
  const run = async () => {
    const subject = of()
    if (!subject) return
    const controller = new AbortController()
    asked.current = controller
    setCourse({ state: 'running' })
    try {
      const body = { HouseID: subject.HouseID, ...subject.form }
      const simulation = await api.call(simulateLinkage, { body }, { signal: controller.signal, timeoutMs: replayTimeoutMs })
      setCourse({ state: 'there', simulation, of: subject })
    } catch (error) {
      setCourse(controller.signal.aborted ? { state: 'none' } : { state: 'failed', why: messageOf(error) })
    }
  }
  const isRunning = course.state === 'running'
  return (
    <section className="part simulation" aria-label={t('simulate')}>
      <h3>
        {t('simulate')}
        <small>{t('simulateWhat')}</small>
        <span className="grow" />
        <button type="button" className="btn small" onClick={isRunning ? () => asked.current?.abort() : () => void run()}>
          {t(isRunning ? 'simulateCancel' : course.state === 'there' ? 'simulateAgain' : 'simulateRun')}
        </button>
      </h3>
      {isRunning && <Loading />}
      {course.state === 'failed' && <Failed message={course.why} retry={() => void run()} />}
      {course.state === 'there' && <Result simulation={course.simulation} of={course.of} />}
    </section>
  )
}

const shownRows = 10

function Result({ simulation, of }: { simulation: LinkageSimulation; of: Simulated }) {
  const { t } = useTranslation('linkages')
  const { Counts, Firings, Orders, HaltedAt, CoveragePercent, Blind, Conditions, TookMs } = simulation
  const fired = Counts.find(({ Outcome }) => Outcome === 'fired')?.Count ?? 0
  const suppressed = Counts.filter(({ Outcome }) => Outcome !== 'fired')
  const total = suppressed.reduce((sum, { Count }) => sum + Count, 0)
  const latest = Firings.findLast(({ Outcome }) => Outcome === 'fired')
  const subjects = of.conditions.map((each): LaneSubject => {
    const family = familyOf(each.Family)
    const isFigure = each.Kind === 'point'
    return {
      name: subjectOf(each, family),
      limit: isFigure ? each.Value : null,
      isMet: (value) => meets({ op: each.Op, value: each.Value, release: 0 }, false, value),
    }
  })
  return (
    <>
      <dl className="simulation-facts">
        <Fact term={t('wouldFire')} value={t('times', { count: fired })} />
        <Fact term={t('wouldSuppress')} value={t('times', { count: total })} />
        <Fact term={t('coverage')} value={`${CoveragePercent} %`} />
        <Fact term={t('latest')} value={latest ? minuteOf(latest.At, of.TimeZone) : t('none2')} />
      </dl>
      {HaltedAt !== null && (
        <p className="simulation-note" role="status">
          <Mark kind="fault" />
          {t('haltedThen', { time: whenOf(HaltedAt, of.TimeZone) })}
        </p>
      )}
      <SimulationChart simulation={simulation} subjects={subjects} timeZone={of.TimeZone} />
      <ul className="simulation-keys">
        <li>
          <i className="disc full" />
          {t('wouldFire')} {fired}
        </li>
        <li>
          <i className="disc ring" />
          {t('keySuppressed')}
          {suppressed.length === 0 && ' 0'}
          {suppressed.map(({ Outcome, Count }) => ` ${t(`outcomes.${Outcome}`)} ${Count}`).join(' ·')}
        </li>
        <li>
          <i className="square hatched" />
          {t('keyGap')}
        </li>
      </ul>
      <p className="mute">
        {[
          ...Conditions.flatMap(({ Recorded }, index) =>
            Recorded ? [] : [t('notRecorded', { name: subjects[index]?.name ?? '' })],
          ),
          ...(Orders > 0 ? [t('wouldOrder', { count: Orders })] : []),
          ...(Blind.length > 0 ? [t('blindTimes', { count: Blind.length })] : []),
          t('took', { time: span(TookMs) }),
        ].join(' · ')}
      </p>
      {Firings.length > 0 && (
        <table className="simulation-rows">
          <thead>
            <tr>
              <th>{t('at')}</th>
              <th>{t('result')}</th>
              {subjects.map(({ name }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can be alike
                <th key={index} className="end">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Firings.slice(-shownRows)
              .toReversed()
              .map(({ At, Outcome, Values }) => (
                <tr key={At}>
                  <td>{whenOf(At, of.TimeZone)}</td>
                  <td>
                    <i className={Outcome === 'fired' ? 'disc full' : 'disc ring'} /> {t(`outcomes.${Outcome}`)}
                  </td>
                  {of.conditions.map((each, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two conditions can be alike
                    <td key={index} className="end">
                      {valueText(each, familyOf(each.Family), Values[index] ?? null)}
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  )
}
