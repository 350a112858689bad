import type { Scene, SceneRunEntry } from '@linewarden/contract'
import { sceneLog } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { span } from '../../../ui/format.ts'
import { useNow } from '../../../ui/use-now.ts'
import { whenOf } from '../parts/civil-text.ts'
import { useZones } from '../parts/use-zones.ts'
import { RunLineRow } from './run-line.tsx'
import { outcomeOf } from './scene-facts.ts'

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

/** A run of more lines than this shows first what is not done. */
const fewLines = 40
/** So many lines are shown before somebody asks for more. */
const shownLines = 60

/** How far a run has come, line by line. The symbol shows the position that is reported, never the one that is meant. */
export function RunProgress({ scene, executionId }: { scene: Scene; executionId: string }) {
  const { t } = useTranslation('scenes')
  const { query, run } = useRun(executionId)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  if (!query.data || query.isError) return <Unloaded query={query} />
  if (!run) return <Empty title={t('runGone')} />
  const usual = run.Lines.length > fewLines && run.EndedAt === null ? 'left' : 'Total'
  const shown = chosen ?? usual
  return (
    <section className="scene-progress" aria-label={t('followRun')}>
      <RunHead run={run} />
      <Totals run={run} shown={shown} onChoose={(to) => setChosen(to === shown ? usual : to)} />
      {!run.Whole && <p className="mute">{t('runPart')}</p>}
      <p className="track-key">
        {shown === 'left' && <span className="which">{t('leftOnly')}</span>}
        {t('track')}
      </p>
      <RunLines key={shown} scene={scene} run={run} shown={shown} />
      <p className="mute">{t(`rule.${scene.IfRefused}`)}</p>
    </section>
  )
}

function RunLines({ scene, run, shown }: { scene: Scene; run: SceneRunEntry; shown: Chosen }) {
  const { t } = useTranslation('scenes')
  const [isWhole, setWhole] = useState(false)
  const switches = new Map(scene.Items.map(({ LineID, Switch }) => [LineID, Switch]))
  const numbered = run.Lines.map((line, index): NumberedLine => ({ line, no: index + 1, outcome: outcomeOf(line) }))
  const lines = numbered.filter(
    ({ outcome }) => shown === 'Total' || (shown === 'left' ? !isProved(outcome) : keyOf(outcome) === shown),
  )
  // What somebody should look at comes before what is only waiting.
  const ordered = shown === 'left' ? lines.toSorted((one, other) => rankOf(one.outcome) - rankOf(other.outcome)) : lines
  const left = isWhole ? 0 : Math.max(0, ordered.length - shownLines)
  return (
    <>
      <ol>
        {ordered.slice(0, ordered.length - left).map(({ line, no }) => (
          <RunLineRow key={line.LineID} line={line} no={no} drawn={switches.get(line.LineID)} />
        ))}
      </ol>
      {ordered.length === 0 && <p className="mute">{t('nothingLeft')}</p>}
      {left > 0 && (
        <button type="button" className="btn small more" onClick={() => setWhole(true)}>
          {t('moreLines', { count: left })}
        </button>
      )}
    </>
  )
}

type Outcome = ReturnType<typeof outcomeOf>
interface NumberedLine {
  readonly line: SceneRunEntry['Lines'][number]
  /** Its place in the run. */
  readonly no: number
  readonly outcome: Outcome
}
const isProved = (outcome: Outcome): boolean => outcome === 'verified' || outcome === 'already'
/** An outcome as the totals name it. */
const keyOf = (outcome: Outcome) => `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`
const worstFirst: readonly Outcome[] = ['refused', 'failed', 'unknown', 'missed', 'stopped', 'underWay', 'waiting']
const rankOf = (outcome: Outcome): number => worstFirst.indexOf(outcome)

function RunHead({ run }: { run: SceneRunEntry }) {
  const { t } = useTranslation(['scenes', 'automation'])
  const now = useNow()
  const zoneOf = useZones()
  const { State, Actor, ClaimedAt, EndedAt, Reason, StoppedBy } = run
  return (
    <div className="run-head">
      <h3 role="status">{t(`automation:runStates.${State}`)}</h3>
      <p className="mute">
        {t('runBy', { actor: Actor, time: whenOf(ClaimedAt, zoneOf(run.HouseID)), reason: Reason })}
        {' · '}
        {EndedAt === null ? t('sentFor', { span: span(now - ClaimedAt) }) : t('tookTime', { span: span(EndedAt - ClaimedAt) })}
        {StoppedBy !== null && ` · ${t('stoppedBy', { name: StoppedBy })}`}
      </p>
    </div>
  )
}

const always = ['Verified', 'UnderWay', 'Waiting', 'Refused'] as const
const whereAny = ['Already', 'Failed', 'Unknown', 'Missed', 'Stopped'] as const

type Total = (typeof always)[number] | (typeof whereAny)[number] | 'Total'
/** Which lines are shown; `left`: those that are not proven yet. */
type Chosen = Total | 'left'

function Totals({ run: { Counts }, shown, onChoose }: { run: SceneRunEntry; shown: Chosen; onChoose: (total: Total) => void }) {
  const { t } = useTranslation('scenes')
  const totals: readonly Total[] = [...always, ...whereAny.filter((key) => Counts[key] > 0), 'Total']
  return (
    <div className="run-totals">
      {totals.map((key) => (
        <button key={key} type="button" aria-pressed={shown === key} onClick={() => onChoose(key)}>
          <span>{t(`counts.${key}`)}</span>
          <b>{Counts[key]}</b>
        </button>
      ))}
    </div>
  )
}
