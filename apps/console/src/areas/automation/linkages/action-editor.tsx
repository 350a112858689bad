import type { Scene } from '@linewarden/contract'
import { linkageActions } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import type { LineRef } from '../../../plant/equipment.ts'
import { TaggedNote } from '../../../plant/tag-mark.tsx'
import { SelectField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import type { ProblemOf } from './condition-editor.tsx'
import { goneChoice, useLineChoices } from './condition-editor.tsx'
import { FigureField } from './figure-field.tsx'
import type { ActionValues } from './form-values.ts'
import { OrderFields } from './order-fields.tsx'

/** What is done, to which line or by which scene, and how long after. */
export function ActionEditor({
  values,
  path,
  lines,
  scenes,
  houseId,
  problemOf,
  onChange,
  onRemove,
}: {
  values: ActionValues
  /** `Actions.0`. */
  path: string
  lines: readonly LineRef[]
  scenes: readonly Scene[]
  houseId: number
  problemOf: ProblemOf
  onChange: (values: ActionValues) => void
  /** Null: it is the only one. */
  onRemove: (() => void) | null
}) {
  const { t } = useTranslation('linkageForm')
  const { Kind, gone } = values
  const isGone = gone !== null
  const set = (change: Partial<ActionValues>) => onChange({ ...values, ...change })
  // Only what a line's family can do is offered.
  const able =
    Kind === 'raise' || Kind === 'workorder'
      ? lines
      : lines.filter(({ family }) => family?.actions.some(({ key }) => key === Kind))
  const lineOptions = useLineChoices(able)
  const mayOrder = useMayOpen(paths.workOrders)
  const kinds = linkageActions.filter((kind) => kind !== 'workorder' || mayOrder || kind === Kind)
  return (
    <li className="action-editor">
      <SelectField
        label={t('kind')}
        value={Kind}
        options={kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        onChange={(kind) => set({ Kind: kind as ActionValues['Kind'], ...(isGone && { LineID: '', SceneID: '', gone: null }) })}
      />
      {Kind === 'scene' ? (
        <SelectField
          label={t('scene')}
          value={values.SceneID}
          placeholder=""
          options={[
            ...goneChoice(isGone ? values.SceneID : null, values.gone || t('goneScene')),
            ...scenes.map(({ SceneID, Name }) => ({ value: String(SceneID), label: Name })),
          ]}
          onChange={(SceneID) => set({ SceneID, gone: null })}
          error={problemOf(`${path}.SceneID`) ?? problemOf(path) ?? (isGone ? t('sceneGone') : null)}
        />
      ) : (
        <PickField
          label={t('target')}
          value={values.LineID}
          options={[...goneChoice(isGone ? values.LineID : null, values.gone || t('goneLine')), ...lineOptions]}
          onChange={(LineID) => set({ LineID, gone: null })}
          error={
            problemOf(`${path}.LineNo`) ?? problemOf(`${path}.ControllerID`) ?? problemOf(path) ?? (isGone ? t('lineGone') : null)
          }
        />
      )}
      <FigureField
        label={t('delay')}
        value={values.DelayS}
        unit={t('seconds')}
        onChange={(DelayS) => set({ DelayS })}
        error={problemOf(`${path}.DelayS`)}
      />
      {onRemove && (
        <button type="button" className="btn quiet" aria-label={t('removeRow')} title={t('removeRow')} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      )}
      {Kind === 'workorder' && <OrderFields {...{ values, path, houseId, problemOf }} onChange={set} />}
      {Kind === 'close' && values.LineID !== '' && <TaggedNote lineIds={[Number(values.LineID)]} />}
      {Kind === 'scene' && <TaggedNote lineIds={closesOf(scenes, values.SceneID)} />}
    </li>
  )
}

const closesOf = (scenes: readonly Scene[], sceneId: string): readonly number[] =>
  (scenes.find(({ SceneID }) => String(SceneID) === sceneId)?.Items ?? []).flatMap(({ Action, LineID }) =>
    Action === 'close' ? LineID : [],
  )
