import type { PushRecord } from '@linewarden/contract'
import { canBePushed, families } from '@linewarden/equipment'

/** Models that can come by a push. */
export const pushedModels: readonly string[] = families.filter(canBePushed).flatMap(({ models }) => models)

export const productsText = (products: PushRecord['Products']): string =>
  products.map(({ ProductID, Model }) => `${ProductID}=${Model}`).join('\n')

export type ReadProducts =
  | { readonly products: PushRecord['Products'] }
  | { readonly wrongLine: number }
  | { readonly twice: string }

/** Reads `product=model`, one a line; says which line is wrong. */
export function readProducts(text: string): ReadProducts {
  const products: PushRecord['Products'] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, ProductID = '', Model = ''] = /^\s*([A-Za-z0-9_-]{1,64})\s*[=＝]\s*(\S+)\s*$/.exec(line) ?? []
    if (!pushedModels.includes(Model)) return { wrongLine: index + 1 }
    if (products.some((each) => each.ProductID === ProductID)) return { twice: ProductID }
    products.push({ ProductID, Model })
  }
  return { products }
}
