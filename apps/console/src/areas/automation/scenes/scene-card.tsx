import type { Scene } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { StateWord } from '../../../plant/state-word.tsx'
import { LineTags } from '../../../plant/tag-mark.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { Place } from '../../../ui/place.tsx'
import { minuteOf } from '../parts/civil-text.ts'
import { useZones } from '../parts/use-zones.ts'
import { blockedWord, meantWord } from './line-words.tsx'
import { RunButton, StopButton } from './run-button.tsx'
import { useRun } from './run-progress.tsx'
import { SceneBar } from './scene-bar.tsx'
import type { Mismatch } from './scene-facts.ts'
import { mismatchesOf, ordersOf } from './scene-facts.ts'
import { SceneIcon } from './scene-icon.tsx'

const maxRows = 3
const maxNames = 2

/** One scene: how far it is in force, which lines are not, what blocks, and how many orders a press would send. */
export function SceneCard({
  scene,
  isOpen,
  onOpen,
  onRun,
  onFollow,
}: {
  scene: Scene
  isOpen: boolean
  onOpen: () => void
  onRun: () => void
  /** Shows a run of it. */
  onFollow: (executionId: string) => void
}) {
  const { t } = useTranslation(['scenes', 'app', 'automation'])
  const zoneOf = useZones()
  const { LastRun } = scene
  const isRunning = LastRun?.State === 'running'
  const orders = ordersOf(scene.Items)
  return (
    <article className={isOpen ? 'scene-card chosen' : 'scene-card'} aria-label={scene.Name}>
      <header>
        <SceneIcon name={scene.Icon} />
        <h2>
          <button type="button" aria-expanded={isOpen} onClick={onOpen}>
            <bdi>{scene.Name}</bdi>
          </button>
        </h2>
        <small className="who">
          {t('linesOf', { count: scene.Total })} <LineTags lineIds={scene.Items.map(({ LineID }) => LineID)} /> ·{' '}
          <bdi>{scene.OwnerName}</bdi>
        </small>
      </header>
      <SceneMarks scene={scene} />
      <p className="fit">
        <span>{t('inForce')}</span>
        <b>
          {scene.InForce}/{scene.Total}
        </b>
        <small>{isRunning ? <RunningWord executionId={LastRun.RunID} /> : fitWord(scene, t)}</small>
      </p>
      <SceneBar scene={scene} />
      <Mismatches mismatches={mismatchesOf(scene.Items)} />
      {orders.blocked.length > 0 && (
        <ul className="blocked">
          {orders.blocked.slice(0, maxRows).map((item) => (
            <li key={item.LineID}>
              <Icon name="lock" />
              <span>{blockedWord(item, t)}</span>
            </li>
          ))}
          {orders.blocked.length > maxRows && (
            <li className="mute">{t('moreBlocked', { count: orders.blocked.length - maxRows })}</li>
          )}
        </ul>
      )}
      <footer>
        {isRunning ? <StopButton executionId={LastRun.RunID} /> : <RunButton scene={scene} onRun={onRun} />}
        {isRunning ? (
          <button type="button" className="btn quiet" onClick={() => onFollow(LastRun.RunID)}>
            {t('followRun')}
          </button>
        ) : (
          <small className="meta">
            {orders.away.length > 0
              ? t('awayCount', { count: orders.away.length })
              : LastRun
                ? t('lastRun', {
                    time: minuteOf(LastRun.At, zoneOf(scene.HouseID)),
                    state: t(`automation:runStates.${LastRun.State}`),
                  })
                : t('neverRun')}
          </small>
        )}
      </footer>
    </article>
  )
}

const shownCounts = ['Verified', 'Already', 'UnderWay', 'Waiting', 'Refused', 'Failed', 'Unknown'] as const

/** How far a run has come, by what was reported. */
function RunningWord({ executionId }: { executionId: string }) {
  const { t } = useTranslation('scenes')
  const { run } = useRun(executionId)
  if (!run) return t('running')
  const counts = shownCounts.flatMap((key) => (run.Counts[key] > 0 ? [`${t(`counts.${key}`)} ${run.Counts[key]}`] : []))
  return counts.join(' · ') || t('running')
}

/** What is to be known before anybody presses. */
export function SceneMarks({ scene: { Orphan, Enabled, Whole, LastRun } }: { scene: Scene }) {
  const { t } = useTranslation('scenes')
  if (!Orphan && Enabled && Whole && LastRun?.State !== 'running') return null
  return (
    <p className="scene-marks">
      {LastRun?.State === 'running' && <b>{t('running')}</b>}
      {Orphan && (
        <span className="fault">
          <Mark kind="fault" />
          {t('orphan')}
        </span>
      )}
      {!Enabled && <span className="plain">{t('disabled')}</span>}
      {!Whole && <span className="plain">{t('partly')}</span>}
    </p>
  )
}

function Mismatches({ mismatches }: { mismatches: readonly Mismatch[] }) {
  const { t } = useTranslation(['scenes', 'app'])
  const left = mismatches.slice(maxRows).reduce((sum, { items }) => sum + items.length, 0)
  return (
    <ul className="apart">
      {mismatches.slice(0, maxRows).map(({ of, items }) => (
        <li key={`${of.Match} ${of.Switch} ${of.Action}`}>
          <StateWord condition={of.Switch} />
          <span className="names">
            <Place names={items.slice(0, maxNames).map(({ LineName }) => LineName)} between={t('app:listComma')} />
            {items.length > maxNames && ` ${t('andMore', { count: items.length })}`}
          </span>
          <small>{meantWord(of, t)}</small>
        </li>
      ))}
      {left > 0 && <li className="mute">{t('moreRows', { count: left })}</li>}
    </ul>
  )
}

const fitWord = ({ Mismatched, Unknown }: Scene, t: ReturnType<typeof useTranslation<['scenes', 'app']>>['t']): string =>
  [
    ...(Mismatched > 0 ? [t('mismatchedCount', { count: Mismatched })] : []),
    ...(Unknown > 0 ? [t('unknownCount', { count: Unknown })] : []),
  ].join(t('app:comma')) || t('allFit')
