import type { Scene, SceneRunEntry } from '@linewarden/contract'
import { sceneLog } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { StateWord } from '../../../plant/state-word.tsx'
import { Empty } from '../../../ui/body-state.tsx'
import { clockTime, span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { useNow } from '../../../ui/use-now.ts'
import { stateWord } from '../../control/command-words.ts'
import { outcomeOf, trackOf } from './scene-facts.ts'

/** While it goes on it is asked for again; what comes live comes sooner. */
const runEveryMs = 2_000

export const useRun = (executionId: string | null) => {
  const query = useCall(
    sceneLog,
    { body: { RunID: executionId ?? '' } },
    {
      enabled: executionId !== null,
      refetchInterval: ({ state }) => (state.data?.items[0]?.EndedAt == null ? runEveryMs : false),
    },
  )
  return { query, run: query.data?.items.find(({ RunID }) => RunID === executionId) ?? null }
}

/** How far a run has come, line by line. The symbol shows the position that is reported, never the one that is meant. */
export function RunProgress({ scene, executionId }: { scene: Scene; executionId: string }) {
  const { t } = useTranslation('scenes')
  const { query, run } = useRun(executionId)
  const switches = new Map(scene.Items.map(({ LineID, Switch }) => [LineID, Switch]))
  if (!query.data || query.isError) return <Unloaded query={query} />
  if (!run) return <Empty title={t('runGone')} />
  return (
    <section className="scene-progress" aria-label={t('followRun')}>
      <RunHead run={run} />
      <Totals run={run} />
      {!run.Whole && <p className="mute">{t('runPart')}</p>}
      <p className="track-key">{t('track')}</p>
      <ol>
        {run.Lines.map((line, index) => {
          const shown = switches.get(line.LineID)
          return (
            <li key={line.LineID} className={outcomeOf(line)}>
              <span className="no">{index + 1}</span>
              {shown ? <StateWord condition={shown} /> : <span />}
              <bdi className="name">{line.LineName}</bdi>
              <Track line={line} />
              <Result line={line} />
              {line.Refusal && line.State !== 'skipped' && line.State !== 'stopped' && (
                <p className="why">{localised(line.Refusal.Text)}</p>
              )}
            </li>
          )
        })}
      </ol>
      <p className="mute">{t(`rule.${scene.IfRefused}`)}</p>
    </section>
  )
}

function RunHead({ run }: { run: SceneRunEntry }) {
  const { t } = useTranslation(['scenes', 'automation'])
  const now = useNow()
  const { State, Actor, ClaimedAt, EndedAt, Reason, StoppedBy } = run
  return (
    <div className="run-head">
      <h3 role="status">{t(`automation:runStates.${State}`)}</h3>
      <p className="mute">
        {t('runBy', { actor: Actor, time: clockTime(ClaimedAt), reason: Reason })}
        {' · '}
        {EndedAt === null ? t('sentFor', { span: span(now - ClaimedAt) }) : t('tookTime', { span: span(EndedAt - ClaimedAt) })}
        {StoppedBy !== null && ` · ${t('stoppedBy', { name: StoppedBy })}`}
      </p>
    </div>
  )
}

const always = ['Verified', 'UnderWay', 'Waiting', 'Refused'] as const
const whereAny = ['Already', 'Failed', 'Unknown', 'Missed', 'Stopped'] as const

function Totals({ run: { Counts } }: { run: SceneRunEntry }) {
  const { t } = useTranslation('scenes')
  const shown = [...always, ...whereAny.filter((key) => Counts[key] > 0), 'Total' as const]
  return (
    <dl className="run-totals">
      {shown.map((key) => (
        <div key={key}>
          <dt>{t(`counts.${key}`)}</dt>
          <dd>{Counts[key]}</dd>
        </div>
      ))}
    </dl>
  )
}

type RunLine = SceneRunEntry['Lines'][number]

function Track({ line }: { line: RunLine }) {
  const [first, second, third] = trackOf[outcomeOf(line)]
  return (
    <span className="track" aria-hidden="true">
      <i className={first} />
      <u className={second} />
      <i className={second} />
      <u className={third} />
      <i className={third} />
    </span>
  )
}

function Result({ line }: { line: RunLine }) {
  const { t } = useTranslation('scenes')
  const outcome = outcomeOf(line)
  return (
    <span className="result">
      <span>
        {t(`does.${line.Action}`)} <b>{t(`outcomes.${outcome}`)}</b>
      </span>
      <small>
        <Detail line={line} outcome={outcome} />
      </small>
    </span>
  )
}

function Detail({ line: { Command }, outcome }: { line: RunLine; outcome: ReturnType<typeof outcomeOf> }) {
  const { t } = useTranslation('scenes')
  const now = useNow()
  if (outcome === 'refused' || outcome === 'missed' || outcome === 'already') return t('notSent')
  if (!Command) return null
  const { SentAt, VerifiedAt, RequestedAt } = Command
  if (outcome === 'verified' && VerifiedAt !== null) return span(VerifiedAt - (SentAt ?? RequestedAt))
  if (outcome === 'underWay') return t('sentFor', { span: span(Math.max(0, now - (SentAt ?? RequestedAt))) })
  return stateWord(Command)
}
