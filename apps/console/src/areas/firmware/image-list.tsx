import type { FirmwareImage } from '@linewarden/contract'
import { listFirmware, withdrawFirmware } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { dayTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { CampaignForm } from './campaign-form.tsx'
import { UploadDialog } from './upload-dialog.tsx'

type Open = { readonly kind: 'upload' } | { readonly kind: 'withdraw' | 'campaign'; readonly image: FirmwareImage }

const none = [] as const
const sizeOf = (bytes: number): string => `${(bytes / 1_048_576).toFixed(2)} MiB`

/** Signed images: which are there, and how many gateways run each. */
export function ImageList() {
  const { t } = useTranslation(['firmware', 'app'])
  const list = useListState(none)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  // There are few: all of them come at once, and the page is cut here.
  const all = useRows(listFirmware, {}, { everyMs: 10_000 })
  const cut = (page: number, size: number) => (all.data?.items ?? []).slice((page - 1) * size, page * size)
  const rows = { ...all, data: all.data && { items: cut(list.page, list.size), total: all.data.total } }
  const columns: readonly TableColumn<FirmwareImage>[] = [
    { key: 'Version', head: t('version'), cell: ({ Version }) => <b>{Version}</b>, text: ({ Version }) => Version },
    { key: 'Model', head: t('model'), cell: ({ Model }) => Model, text: ({ Model }) => Model },
    {
      key: 'State',
      head: t('app:state'),
      cell: ({ State }) => t(`imageStates.${State}`),
      text: ({ State }) => t(`imageStates.${State}`),
    },
    {
      key: 'Installed',
      head: t('installed'),
      end: true,
      cell: ({ Installed, Gateways }) => t('installedOf', { count: Installed, of: Gateways }),
      text: ({ Installed }) => Installed,
    },
    { key: 'Size', head: t('size'), end: true, cell: ({ Size }) => sizeOf(Size), text: ({ Size }) => Size },
    { key: 'KeyName', head: t('key'), cell: ({ KeyName }) => KeyName, text: ({ KeyName }) => KeyName },
    { key: 'UploadedBy', head: t('app:by'), cell: ({ UploadedBy }) => UploadedBy, text: ({ UploadedBy }) => UploadedBy },
    {
      key: 'UploadedAt',
      head: t('uploaded'),
      cell: ({ UploadedAt }) => dayTime(UploadedAt),
      text: ({ UploadedAt }) => dayTime(UploadedAt),
    },
    {
      key: 'Notes',
      head: t('notes'),
      cell: ({ Notes }) => Notes || '–',
      text: ({ Notes }) => Notes,
      optional: true,
    },
    {
      key: 'Sha256',
      head: 'SHA-256',
      cell: ({ Sha256 }) => Sha256,
      text: ({ Sha256 }) => Sha256,
      optional: true,
    },
  ]
  const upload = () => setOpen({ kind: 'upload' })
  return (
    <>
      <QueryTable
        label={t('images')}
        columns={columns}
        rows={rows}
        rowKey={({ ImageID }) => String(ImageID)}
        list={list}
        actions={
          <button type="button" className="btn primary" onClick={upload}>
            <Icon name="plus" />
            {t('upload')}
          </button>
        }
        rowActions={(image) => (
          <>
            <ReasonedButton
              className="btn small quiet"
              reason={image.State === 'ready' ? null : t('notReady')}
              onClick={() => setOpen({ kind: 'campaign', image })}
            >
              {t('start')}
            </ReasonedButton>
            <ReasonedButton
              className="btn small quiet"
              reason={image.State === 'withdrawn' ? t('isWithdrawn') : null}
              onClick={() => setOpen({ kind: 'withdraw', image })}
            >
              {t('withdraw')}
            </ReasonedButton>
          </>
        )}
        empty={{ title: t('noImages'), hint: t('noImagesHint'), action: { label: t('upload'), run: upload } }}
        fetchPage={async (page, size) => ({ items: cut(page, size), total: all.data?.total ?? 0 })}
      />
      {open?.kind === 'upload' && <UploadDialog onClose={close} />}
      {open?.kind === 'campaign' && <CampaignForm imageId={open.image.ImageID} onClose={close} />}
      {open?.kind === 'withdraw' && (
        <ConfirmDialog
          title={t('withdrawTitle', { version: open.image.Version })}
          what={open.image.State === 'receiving' ? t('discardWhat') : t('withdrawWhat')}
          submit={t('withdraw')}
          onClose={close}
          onConfirm={() => errorTextOf(change(withdrawFirmware, { params: { ImageID: open.image.ImageID } }))}
        />
      )}
    </>
  )
}
