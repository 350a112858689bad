import {
  getTariffVersion,
  importPrices,
  insertTariff,
  listPrices,
  listTariffs,
  previewTariff,
  publishTariff,
  saveTariffDraft,
  tariffDays,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Prices } from './prices.ts'
import type { TariffPreviews } from './tariff-preview.ts'
import type { Tariffs } from './tariffs.ts'

interface Services {
  readonly tariffs: Tariffs
  readonly previews: TariffPreviews
  readonly prices: Prices
}

export function tariffRoutes(serve: Serve, { tariffs, previews, prices }: Services): void {
  serve(listTariffs, ({ actor, project }) => tariffs.list(actor, project))
  serve(getTariffVersion, ({ actor, project, query }) => tariffs.version(actor, project, query.VersionID))
  serve(insertTariff, ({ actor, project, body }) => tariffs.insert(actor, project, body))
  serve(saveTariffDraft, ({ actor, project, body }) => tariffs.saveDraft(actor, project, body))
  serve(publishTariff, ({ actor, project, body }) => tariffs.publish(actor, project, body))
  serve(tariffDays, ({ project, query }) => tariffs.days(project, query.Year))
  serve(listPrices, ({ actor, project, query }) => prices.list(actor, project, query.TariffID))
  serve(importPrices, ({ actor, project, body }) => prices.import(actor, project, body))
  serve(previewTariff, ({ actor, project, body }) => previews.preview(actor, project, body.VersionID))
}
