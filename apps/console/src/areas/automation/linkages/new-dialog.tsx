import type { Group } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { HouseField } from './templates-dialog.tsx'

/** Asks of which project a new linkage is: its lines are all of one. */
export function NewDialog({
  groups,
  house,
  onBegin,
  onClose,
}: {
  groups: readonly Group[]
  /** What the tree has selected; null: everything. */
  house: number | null
  onBegin: (houseId: number) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['linkageForm', 'linkages'])
  const only = groups.flatMap(({ Houses }) => Houses)
  const [houseId, setHouse] = useState(house ?? (only.length === 1 ? (only[0]?.HouseID ?? null) : null))
  return (
    <FormDialog
      title={t('newTitle')}
      submit={t('linkages:create')}
      onSubmit={async () => {
        if (houseId === null) return t('chooseProject')
        onBegin(houseId)
        return null
      }}
      onClose={onClose}
    >
      <HouseField groups={groups} houseId={houseId} onHouse={setHouse} />
    </FormDialog>
  )
}
