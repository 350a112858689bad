import type { RunEntry, Timer } from '@linewarden/contract'
import { logTimers, whyNotTimer } from '@linewarden/contract'
import { civilZone, parseDate, parseTime } from '@linewarden/rules/automation'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MomentInput } from '../../../ui/moment-field.tsx'
import { PickFilter } from '../../../ui/pick-field.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import { civilText } from '../parts/civil-text.ts'
import { RunStateWord } from '../parts/run-state.tsx'
import { whyWord } from '../parts/why-words.ts'
import { checkFact } from './check-facts.ts'
import { countsBeside } from './run-reasons.ts'
import type { WhyAnswer } from './why-chain.ts'
import { whyChain } from './why-chain.ts'

const two = (n: number): string => String(n).padStart(2, '0')
const clockOf = (at: number, timeZone: string): string => new Date(civilZone(timeZone).wallAt(at)).toISOString().slice(11, 16)

/** Why did this timer do nothing then? A sentence with three fields; the question that was asked stands in the address. */
export function WhyBox({ timers }: { timers: readonly Timer[] }) {
  const { t } = useTranslation('runLog')
  const [address, setAddress] = useSearchParams()
  const asked = { timer: address.get('why') ?? '', at: address.get('at-time') ?? '' }
  const [askedDay = '', askedTime = ''] = asked.at.split(' ')
  const [draft, setDraft] = useState({ timer: asked.timer, day: askedDay || today(), time: askedTime })
  const [problem, setProblem] = useState<string | null>(null)
  const timer = timers.find(({ TimerID }) => String(TimerID) === asked.timer)
  const at = timer ? instantOf(askedDay, askedTime, timer.TimeZone) : null
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const chosen = timers.find(({ TimerID }) => String(TimerID) === draft.timer)
    const isTime = parseDate(draft.day) !== null && parseTime(draft.time) !== null
    const wrong = !chosen
      ? t('why.timer')
      : !isTime
        ? t('why.wrongTime')
        : instantOf(draft.day, draft.time, chosen.TimeZone) === null
          ? t('why.nowhere')
          : null
    setProblem(wrong)
    if (wrong === null)
      setAddress((was) => {
        was.set('why', draft.timer)
        was.set('at-time', `${draft.day} ${draft.time}`)
        return was
      })
  }
  return (
    <section className="why-box" aria-label={`${t('why.ask')} … ${t('why.notActed')}`}>
      <form onSubmit={ask} noValidate>
        <b>{t('why.ask')}</b>
        <PickFilter
          label={t('why.timer')}
          value={timers.some(({ TimerID }) => String(TimerID) === draft.timer) ? draft.timer : ''}
          options={timers.map(({ TimerID, Name, HouseName }) => ({ value: String(TimerID), label: Name, note: HouseName }))}
          onChange={(value) => setDraft({ ...draft, timer: value })}
        />
        <MomentInput kind="day" label={t('why.day')} value={draft.day} onChange={(day) => setDraft((was) => ({ ...was, day }))} />
        <MomentInput
          kind="clock"
          label={t('why.time')}
          value={draft.time}
          onChange={(time) => setDraft((was) => ({ ...was, time }))}
        />
        <b>{t('why.notActed')}</b>
        <span className="grow" />
        <button type="submit" className="btn primary">
          {t('why.go')}
        </button>
      </form>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {timer && at !== null && <Answer timer={timer} at={at} />}
    </section>
  )
}

function today(): string {
  const time = new Date(serverNow())
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** The instant at which the clock of a place shows this; null: never, or it is no time. */
function instantOf(day: string, time: string, timeZone: string): number | null {
  const [date, second] = [parseDate(day), parseTime(time)]
  return date === null || second === null ? null : (civilZone(timeZone).resolve(date, second)?.at ?? null)
}

function Answer({ timer, at }: { timer: Timer; at: number }) {
  const { t } = useTranslation(['runLog', 'automation'])
  const query = useCall(whyNotTimer, { params: { TimerID: timer.TimerID }, query: { At: at } })
  const { data } = query
  if (!data) return <Unloaded query={query} />
  const time = clockOf(at, timer.TimeZone)
  const [run] = data.Runs
  const state = run ? t(`automation:runStates.${run.State}`) : ''
  const { passed, failed } = whyChain(data)
  return (
    <div className="why-answer">
      <div>
        <h3>{t(`why.answers.${data.Why}`, { name: timer.Name, date: data.Date, time, state })}</h3>
        <ol className="why-chain">
          {passed.map((check) => (
            <li key={check}>
              <Icon name="check" />
              <span>{t(`why.checks.${check}`, { time })}</span>
              <small>{checkFact(check, timer, data)}</small>
            </li>
          ))}
          {failed !== null && (
            <li className="failed">
              <Icon name="close" />
              <b>{t(`why.checks.${failed}`, { time })}</b>
              <small>{run?.Why ? whyWord(run.Why) : checkFact(failed, timer, data)}</small>
            </li>
          )}
        </ol>
        {data.Why !== 'ran' && <p className="mute">{t('why.byPresent')}</p>}
      </div>
      <Facts timer={timer} answer={data} at={at} />
    </div>
  )
}

/** What explains the answer: what kind of day it was, what the timer does before and after, since when it is as it is. */
function Facts({ timer, answer, at }: { timer: Timer; answer: WhyAnswer; at: number }) {
  const { t } = useTranslation(['runLog', 'automation'])
  const [, setAddress] = useSearchParams()
  const { Before, After, ChangedAt, Class, ClassName, Runs, Why } = answer
  const minute = Math.floor(at / 60_000) * 60_000
  const last = useCall(logTimers, { body: { TimerID: timer.TimerID, To: minute, Size: 1 } }).data?.items[0]
  const next = timer.Next.find((each) => each.At > minute)
  const open = (executionId: string) =>
    setAddress((was) => {
      was.set('run', executionId)
      was.set('of', String(timer.TimerID))
      was.set('days', '400')
      was.delete('page')
      was.delete('state')
      return was
    })
  const ofDay = (each: WhyAnswer['Before']) =>
    each ? `${clockOf(each.At, timer.TimeZone)} ${t(`automation:actions.${each.Action}`)}` : t('why.noneThatDay')
  const changed = civilText(ChangedAt, timer.TimeZone, serverNow())
  return (
    <div>
      <h3>{t('why.facts')}</h3>
      <dl className="why-facts">
        <dt>{t('why.dayClass')}</dt>
        <dd>
          {t(`automation:classes.${Class}`)}
          {ClassName && ` · ${ClassName}`}
        </dd>
        {Why === 'noPoint' && (
          <>
            <dt>{t('why.before')}</dt>
            <dd>{ofDay(Before)}</dd>
            <dt>{t('why.after')}</dt>
            <dd>{ofDay(After)}</dd>
          </>
        )}
        <dt>{t('why.changed')}</dt>
        <dd>
          {changed.date} {changed.time} {timer.ChangedBy}
        </dd>
        {last && (
          <>
            <dt>{t('why.lastRun')}</dt>
            <dd>
              <RunWhen run={last} zone={timer.TimeZone} />{' '}
              <button type="button" className="text-link" onClick={() => open(last.RunID)}>
                {t(`automation:runStates.${last.State}`)}
              </button>{' '}
              <small className="mute">{countsBeside(last)}</small>
            </dd>
          </>
        )}
        {next && (
          <>
            <dt>{t('why.nextRun')}</dt>
            <dd>
              {civilText(next.At, timer.TimeZone, serverNow()).date} {clockOf(next.At, timer.TimeZone)}{' '}
              {t(`automation:actions.${next.Action}`)}
            </dd>
          </>
        )}
      </dl>
      {Runs.map(({ RunID, State }) => (
        <p key={RunID} className="why-run">
          <RunStateWord state={State} />
          <button type="button" className="btn small" onClick={() => open(RunID)}>
            {t('why.seeRun')}
          </button>
        </p>
      ))}
    </div>
  )
}

function RunWhen({ run, zone }: { run: RunEntry; zone: string }) {
  const { t } = useTranslation('automation')
  const { date, time } = civilText(run.DueAt ?? run.ClaimedAt, zone, serverNow())
  return (
    <>
      {date} {time} {run.Action && t(`actions.${run.Action}`)}
    </>
  )
}
