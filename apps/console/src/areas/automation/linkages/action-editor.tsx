import type { Scene } from '@linewarden/contract'
import { linkageActions } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../../plant/equipment.ts'
import { SelectField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import type { ProblemOf } from './condition-editor.tsx'
import { lineChoices } from './condition-editor.tsx'
import { FigureField } from './figure-field.tsx'
import type { ActionValues } from './form-values.ts'

/** What is done, to which line or by which scene, and how long after. */
export function ActionEditor({
  values,
  path,
  lines,
  scenes,
  problemOf,
  onChange,
  onRemove,
}: {
  values: ActionValues
  /** `Actions.0`. */
  path: string
  lines: readonly LineRef[]
  scenes: readonly Scene[]
  problemOf: ProblemOf
  onChange: (values: ActionValues) => void
  /** Null: it is the only one. */
  onRemove: (() => void) | null
}) {
  const { t } = useTranslation('linkageForm')
  const { Kind } = values
  const set = (change: Partial<ActionValues>) => onChange({ ...values, ...change })
  // Only what a line's family can do is offered.
  const able = Kind === 'raise' ? lines : lines.filter(({ family }) => family?.actions.some(({ key }) => key === Kind))
  return (
    <li className="action-editor">
      <SelectField
        label={t('kind')}
        value={Kind}
        options={linkageActions.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        onChange={(kind) => set({ Kind: kind as ActionValues['Kind'] })}
      />
      {Kind === 'scene' ? (
        <SelectField
          label={t('scene')}
          value={values.SceneID}
          placeholder=""
          options={scenes.map(({ SceneID, Name }) => ({ value: String(SceneID), label: Name }))}
          onChange={(SceneID) => set({ SceneID })}
          error={problemOf(`${path}.SceneID`) ?? problemOf(path)}
        />
      ) : (
        <PickField
          label={t('target')}
          value={values.LineID}
          options={lineChoices(able)}
          onChange={(LineID) => set({ LineID })}
          error={problemOf(`${path}.LineNo`) ?? problemOf(`${path}.ControllerID`) ?? problemOf(path)}
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
    </li>
  )
}
