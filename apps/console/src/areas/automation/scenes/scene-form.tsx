import type { Scene, SceneIcon as SceneIconName } from '@linewarden/contract'
import { insertScene, sceneIcons, sceneOperation, updateScene } from '@linewarden/contract'
import type { IfRefused } from '@linewarden/rules/automation'
import { ifRefusedModes, maxSceneItems } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { NoChoice } from '../../../app/net/no-choice.tsx'
import { refuseForm } from '../../../app/net/refuse-form.ts'
import { useTree } from '../../../plant/queries.ts'
import { Segments, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import type { Form, Validate } from '../../../ui/use-form.ts'
import { useForm } from '../../../ui/use-form.ts'
import { useLeaving } from '../../../ui/use-leaving.ts'
import { useControlGrant } from '../../control/control-grant.tsx'
import type { ChosenLines } from './chosen-lines.ts'
import { chosenCount, chosenOfItems, itemsOf, noLines } from './chosen-lines.ts'
import { ChosenList } from './chosen-list.tsx'
import { LinePicker } from './line-picker.tsx'
import { SceneIcon } from './scene-icon.tsx'
import './scene-form.css'

interface Values {
  readonly HouseID: string
  readonly Name: string
  readonly Icon: SceneIconName
  readonly IfRefused: IfRefused
  readonly Enabled: boolean
  readonly Items: ChosenLines
}

const maxNameLength = 32

/** A new scene, or one that is changed; whoever saves it owns it from then on. */
export function SceneForm({
  scene,
  houseId,
  onSaved,
  onClose,
}: {
  /** Null: a new one. */
  scene: Scene | null
  /** The project that is chosen already; null: none. */
  houseId: number | null
  onSaved: (scene: Scene) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['scenes', 'app'])
  const { houses } = useHouses()
  const only = houses.length === 1 ? houses[0]?.HouseID : undefined
  const control = useControlGrant()
  const validate: Validate<Values> = ({ HouseID, Name, Items }) => ({
    HouseID: scene === null && HouseID === '' && only === undefined ? t('projectMissing') : null,
    Name: Name.trim() === '' ? t('app:nameMissing') : [...Name.trim()].length > maxNameLength ? t('nameLong') : null,
    Items:
      chosenCount(Items) === 0
        ? t('nonePicked')
        : chosenCount(Items) > maxSceneItems
          ? t('tooManyPicked', { most: maxSceneItems })
          : null,
  })
  const [initial] = useState(() => valuesOf(scene, houseId))
  const form = useForm<Values>(initial, validate)
  const leaving = useLeaving(form.changed, onClose)
  const { HouseID, Icon, IfRefused, Enabled, Items } = form.values
  const house = scene?.HouseID ?? (HouseID === '' ? only : Number(HouseID)) ?? null
  const save = async () => {
    const complete = [form.check(), control.check()].every(Boolean)
    if (!complete || house === null) return ''
    const body = { Name: form.values.Name.trim(), Icon, IfRefused, Enabled, Items: itemsOf(Items) }
    try {
      const grant = await control.take(sceneOperation({ SceneID: scene?.SceneID ?? null, ...body }))
      const saved = scene
        ? await change(updateScene, { body: { SceneID: scene.SceneID, Version: scene.Version, ...body, ...grant } })
        : await change(insertScene, { body: { HouseID: house, ...body, ...grant } })
      leaving.release()
      onSaved(saved)
      return null
    } catch (error) {
      control.forget()
      return refuseForm(form, error)
    }
  }
  return (
    <>
      <FormDialog
        title={scene ? t('editTitle', { name: scene.Name }) : t('add')}
        submit={t('app:save')}
        wide
        onSubmit={save}
        onClose={leaving.close}
      >
        <div className="scene-form">
          <SceneFields form={form} isNew={scene === null} />
          {house === null ? (
            <p className="mute">{t('pickProject')}</p>
          ) : (
            <div className="scene-choice">
              <LinePicker houseId={house} chosen={Items} onChange={(to) => form.set('Items', to)} />
              <div>
                <p className="legend" role="status">
                  {t('chosen', { count: chosenCount(Items) })}
                </p>
                <ChosenList chosen={Items} onChange={(to) => form.set('Items', to)} />
              </div>
            </div>
          )}
          {form.errorOf('Items') !== null && (
            <p className="field-wrong" role="alert">
              {form.errorOf('Items')}
            </p>
          )}
          <label className="check-line">
            <input type="checkbox" checked={Enabled} onChange={(event) => form.set('Enabled', event.target.checked)} />
            {t('enabledField')}
          </label>
          <p className="mute">{t('youOwn')}</p>
          {control.field}
        </div>
      </FormDialog>
      {leaving.asks && (
        <LeaveDialog
          {...{ title: t('leaveTitle'), what: t('leaveWhat'), leave: t('leave'), stay: t('stay') }}
          {...leaving.answers}
        />
      )}
    </>
  )
}

/** Every project that a scene can be of. */
function useHouses() {
  const tree = useTree()
  return { tree, houses: (tree.data?.Groups ?? []).flatMap(({ Houses }) => Houses) }
}

/** Of what project, how it is called, and what becomes of the closes after one that is refused. */
function SceneFields({ form, isNew }: { form: Form<Values>; isNew: boolean }) {
  const { t } = useTranslation(['scenes', 'app'])
  const { tree, houses } = useHouses()
  const { HouseID, Icon, IfRefused } = form.values
  return (
    <div className="form-grid">
      {isNew && houses.length > 1 && (
        <div>
          <PickField
            label={t('app:project')}
            required
            {...form.field('HouseID')}
            value={HouseID}
            options={houses.map((each) => ({ value: String(each.HouseID), label: each.Name }))}
            onChange={(to) => {
              form.set('HouseID', to)
              // Lines of one project only.
              if (to !== HouseID) form.set('Items', noLines)
            }}
          />
          <NoChoice query={tree} />
        </div>
      )}
      <TextField label={t('name')} required maxLength={64} {...form.field('Name')} />
      <IconChoice value={Icon} onChange={(to) => form.set('Icon', to)} />
      <div className="form-field">
        <span className="legend">{t('ifRefused')}</span>
        <Segments
          label={t('ifRefused')}
          value={IfRefused}
          options={ifRefusedModes.map((value) => ({ value, label: t(`ifRefusedModes.${value}`) }))}
          onChange={(to) => form.set('IfRefused', to)}
        />
        <small>{t(`ifRefusedHint.${IfRefused}`)}</small>
      </div>
    </div>
  )
}

function IconChoice({ value, onChange }: { value: SceneIconName; onChange: (icon: SceneIconName) => void }) {
  const { t } = useTranslation('scenes')
  return (
    <div className="form-field">
      <span className="legend">{t('icon')}</span>
      <div className="icon-choice" role="group" aria-label={t('icon')}>
        {sceneIcons.map((icon) => (
          <button
            key={icon}
            type="button"
            className="btn"
            aria-pressed={icon === value}
            aria-label={t(`icons.${icon}`)}
            title={t(`icons.${icon}`)}
            onClick={() => onChange(icon)}
          >
            <SceneIcon name={icon} />
          </button>
        ))}
      </div>
    </div>
  )
}

const valuesOf = (scene: Scene | null, houseId: number | null): Values =>
  scene
    ? {
        HouseID: String(scene.HouseID),
        Name: scene.Name,
        Icon: scene.Icon,
        IfRefused: scene.IfRefused,
        Enabled: scene.Enabled,
        Items: chosenOfItems(scene.Items),
      }
    : {
        HouseID: houseId === null ? '' : String(houseId),
        Name: '',
        Icon: 'scene',
        IfRefused: 'goOn',
        Enabled: true,
        Items: noLines,
      }
