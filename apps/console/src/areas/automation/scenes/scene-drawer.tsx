import type { Scene, SceneItem } from '@linewarden/contract'
import { getScene } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { StateWord } from '../../../plant/state-word.tsx'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Segments } from '../../../ui/fields.tsx'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LastRuns } from './last-runs.tsx'
import { meantWord } from './line-words.tsx'
import { RunButton, StopButton } from './run-button.tsx'
import { RunProgress, useRun } from './run-progress.tsx'
import type { SceneAct } from './scene-acts.tsx'
import { SceneActs } from './scene-acts.tsx'
import { SceneBar } from './scene-bar.tsx'
import { SceneMarks } from './scene-card.tsx'
import { blockReasonsOf } from './scene-facts.ts'
import { SceneIcon } from './scene-icon.tsx'
import './scene-drawer.css'

const calmEveryMs = 5_000
const runningEveryMs = 1_500

/** One scene: every line in the order in which it runs, its last runs, and one run of it while it is followed. */
export function SceneDrawer({
  sceneId,
  executionId,
  onRun,
  onFollow,
  onAct,
  onLine,
  onClose,
}: {
  sceneId: number
  /** The run that is followed; null: none was chosen. */
  executionId: string | null
  onRun: (scene: Scene) => void
  onFollow: (executionId: string | null) => void
  onAct: (act: SceneAct, scene: Scene) => void
  /** Shows only scenes that contain this line. */
  onLine: (houseId: number, item: SceneItem) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['scenes', 'app'])
  const query = useCall(
    getScene,
    { params: { SceneID: sceneId } },
    { refetchInterval: ({ state }) => (state.data?.LastRun?.State === 'running' ? runningEveryMs : calmEveryMs) },
  )
  const scene = query.data
  const running = scene?.LastRun?.State === 'running' ? scene.LastRun.RunID : null
  const followed = executionId ?? running
  if (!scene)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  return (
    <Drawer
      label={t('details')}
      title={
        <>
          <SceneIcon name={scene.Icon} />
          <h2>
            <bdi>{scene.Name}</bdi>
          </h2>
        </>
      }
      subtitle={
        <p className="mute">
          <bdi>{scene.HouseName}</bdi> · {t('linesOf', { count: scene.Total })} · {t('owner', { name: scene.OwnerName })}
        </p>
      }
      foot={<Foot scene={scene} followed={followed} onRun={() => onRun(scene)} onAct={(act) => onAct(act, scene)} />}
      onClose={onClose}
    >
      <div className="scene-drawer">
        <Unloaded query={query} />
        <SceneMarks scene={scene} />
        {followed ? (
          <>
            {running === null && (
              <button type="button" className="btn small back" onClick={() => onFollow(null)}>
                <Icon name="left" />
                {t('backToScene')}
              </button>
            )}
            <RunProgress scene={scene} executionId={followed} />
          </>
        ) : (
          <>
            <SceneBar scene={scene} />
            <Lines scene={scene} onLine={(item) => onLine(scene.HouseID, item)} />
            <p className="mute">{t(`rule.${scene.IfRefused}`)}</p>
          </>
        )}
        <LastRuns sceneId={scene.SceneID} shown={followed} onFollow={onFollow} />
      </div>
    </Drawer>
  )
}

function Foot({
  scene,
  followed,
  onRun,
  onAct,
}: {
  scene: Scene
  followed: string | null
  onRun: () => void
  onAct: (act: SceneAct) => void
}) {
  const { run } = useRun(followed)
  const goesOn = run !== null && run.EndedAt === null
  return (
    <footer className="drawer-foot scene-foot">
      {goesOn ? (
        <StopButton executionId={run.RunID} left={run.Counts.Waiting} large />
      ) : (
        <RunButton scene={scene} large onRun={onRun} />
      )}
      <SceneActs scene={scene} onAct={onAct} />
    </footer>
  )
}

/** A scene of more lines than this shows first those that are not as it says. */
const fewLines = 40
/** So many lines are shown before somebody asks for more. */
const shownLines = 60
const choices = ['apart', 'blocked', 'all'] as const
type Choice = (typeof choices)[number]

function Lines({ scene, onLine }: { scene: Scene; onLine: (item: SceneItem) => void }) {
  const { t } = useTranslation('scenes')
  const [chosen, setChosen] = useState<Choice | null>(null)
  const of: Readonly<Record<Choice, readonly SceneItem[]>> = {
    apart: scene.Items.filter(({ Match }) => Match !== 'inForce'),
    blocked: scene.Items.filter((item) => item.Match !== 'inForce' && blockReasonsOf(item).length > 0),
    all: scene.Items,
  }
  const isLarge = scene.Items.length > fewLines
  const shown = chosen ?? (isLarge && of.apart.length > 0 ? 'apart' : 'all')
  return (
    <>
      {isLarge && (
        <Segments
          label={t('whichLines')}
          value={shown}
          options={choices.map((value) => ({ value, label: t(`shownLines.${value}`, { count: of[value].length }) }))}
          onChange={setChosen}
        />
      )}
      {of[shown].length === 0 && <p className="mute">{t('nothingLeft')}</p>}
      {(['trip', 'close'] as const).map((action) => (
        <LinesOf
          key={`${shown} ${action}`}
          action={action}
          items={of[shown].filter((each) => each.Action === action)}
          onLine={onLine}
        />
      ))}
    </>
  )
}

function LinesOf({
  action,
  items,
  onLine,
}: {
  action: SceneItem['Action']
  items: readonly SceneItem[]
  onLine: (item: SceneItem) => void
}) {
  const { t } = useTranslation('scenes')
  const [isWhole, setWhole] = useState(false)
  const left = isWhole ? 0 : Math.max(0, items.length - shownLines)
  if (items.length === 0) return null
  return (
    <section className="part" aria-label={t(`does.${action}`)}>
      <h3>
        {t(`does.${action}`)} <small>{t(action === 'trip' ? 'tripsFirst' : 'thenCloses')}</small>
      </h3>
      <ol className="scene-lines">
        {items.slice(0, items.length - left).map((item, index) => (
          <Line key={item.LineID} item={item} no={action === 'close' ? index + 1 : null} onLine={() => onLine(item)} />
        ))}
      </ol>
      {left > 0 && (
        <button type="button" className="btn small more" onClick={() => setWhole(true)}>
          {t('moreLines', { count: left })}
        </button>
      )}
    </section>
  )
}

function Line({ item, no, onLine }: { item: SceneItem; no: number | null; onLine: () => void }) {
  const { t } = useTranslation('scenes')
  const reasons = item.Match === 'inForce' ? [] : blockReasonsOf(item)
  return (
    <li>
      <span className="no">{no}</span>
      <StateWord condition={item.Switch} />
      <span className="name">
        <button type="button" title={t('scenesOfLine', { name: item.LineName })} onClick={onLine}>
          <bdi>{item.LineName}</bdi>
        </button>{' '}
        <LineTag lineId={item.LineID} />
        <small className="mute">
          <bdi>{item.GatewayName}</bdi> · {t('deviceNo', { device: item.ControllerID, no: item.LineNo })}
        </small>
      </span>
      <small>{item.Match === 'inForce' ? t('inForce') : meantWord(item, t)}</small>
      {reasons.length > 0 && (
        <ul className="why">
          {reasons.map(({ Key, Text }) => (
            <li key={Key}>
              <Icon name="lock" />
              {localised(Text)}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
