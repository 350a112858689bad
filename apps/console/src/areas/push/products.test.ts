import { expect, test } from 'vitest'
import { productsText, readProducts } from './products.ts'

test('products are read as they are written, whatever the spaces and the width of the equals sign', () => {
  const products = [
    { ProductID: 'hT3kQ9', Model: 'NT8141' },
    { ProductID: '15081413', Model: 'GAS-1' },
  ]
  expect(readProducts(productsText(products))).toEqual({ products })
  expect(readProducts(' hT3kQ9 ＝ NT8141 \n\n15081413=GAS-1\n')).toEqual({ products })
})

test.each([
  ['a breaker', 'a=NT8141\nb=3PN', { wrongLine: 2 }],
  ['no model', 'a', { wrongLine: 1 }],
  ['a product twice', 'a=NT8141\na=GAS-1', { twice: 'a' }],
])('%s is said', (_, text, answer) => {
  expect(readProducts(text)).toEqual(answer)
})
