import type { Scene } from '@linewarden/contract'
import { queryScenes } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { TaggedNote } from '../../../plant/tag-mark.tsx'
import { LineNames } from '../parts/line-names.tsx'

/** As many as a call answers at once. */
const most = 200

const useScenes = (house: number) => useCall(queryScenes, { body: { HouseID: house, Size: most } })

/** The scene that a timer runs, picked from those of its project, and what that does: the scene of that moment is what runs. */
export function SceneField({
  house,
  chosen,
  name,
  why,
  onChange,
}: {
  house: number
  chosen: number | null
  /** What the chosen one is called, where it is not among those that are seen. */
  name: string | null
  /** Why nobody picks here; null: they may. */
  why: string | null
  onChange: (scene: number | null) => void
}) {
  const { t } = useTranslation('timerForm')
  const query = useScenes(house)
  const scenes = query.data?.items
  const picked = scenes?.find(({ SceneID }) => SceneID === chosen) ?? null
  if (!scenes) return <Unloaded query={query} />
  if (scenes.length === 0 && chosen === null)
    return (
      <p className="note">
        {t('noScenes')}
        <Link className="text-link" to="/scene/list">
          {t('openScenes')}
        </Link>
      </p>
    )
  return (
    <>
      <div className="line-up">
        <span className="field scene-pick">
          <select
            aria-label={t('scene')}
            value={chosen === null ? '' : String(chosen)}
            disabled={why !== null}
            onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
          >
            <option value="">{t('pickScene')}</option>
            {chosen !== null && !picked && <option value={chosen}>{name ?? t('sceneGone')}</option>}
            {scenes.map((scene) => (
              <option key={scene.SceneID} value={scene.SceneID} disabled={!scene.Whole}>
                {scene.Name}
                {scene.Whole ? (scene.Enabled ? '' : t('sceneDisabled')) : t('sceneInPart')}
              </option>
            ))}
          </select>
        </span>
      </div>
      {picked && <Does scene={picked} />}
      <p className="mute">{why ?? t('sceneHint')}</p>
    </>
  )
}

/** What it does to which lines. */
function Does({ scene: { Items } }: { scene: Scene }) {
  const { t } = useTranslation('automation')
  return (
    <dl className="scene-does">
      {(['trip', 'close'] as const).map((action) => {
        const lines = Items.filter(({ Action }) => Action === action)
        return (
          lines.length > 0 && (
            <div key={action}>
              <dt>{t(`actions.${action}`)}</dt>
              <dd>
                <LineNames lines={lines} />
                {action === 'close' && <TaggedNote lineIds={lines.map(({ LineID }) => LineID)} />}
              </dd>
            </div>
          )
        )
      })}
    </dl>
  )
}

/** How many lines the chosen scene trips and closes; null: not known. */
export function useSceneCounts(house: number, chosen: number | null): { readonly trip: number; readonly close: number } | null {
  const scene = useScenes(house).data?.items.find(({ SceneID }) => SceneID === chosen)
  if (!scene) return null
  const count = (action: 'trip' | 'close') => scene.Items.filter(({ Action }) => Action === action).length
  return { trip: count('trip'), close: count('close') }
}
