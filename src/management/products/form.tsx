import { type ProductField, productFields } from '../../catalog/fields';
import type { ProductValues, ResolvedProduct } from '../../inventory/service';
import { Field, Labeled, Options } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import type { View } from '../ui/view';
import { kindOf, shownValue, type TypedFields, textOf } from './fields';
import { messages } from './messages';

const INHERITS_FROM = { catalog: 'fromCatalog', organization: 'fromOrganization', default: 'fromDefault' } as const;

interface LayerFieldProps {
  view: View;
  field: ProductField;
  /** The layer's stored values. */
  stored: ProductValues;
  /** The inherited values, which apply where the layer has none. */
  inherited: ResolvedProduct;
  typed?: TypedFields;
  fieldErrors: FieldErrors;
}

/** The field of one value in a layer of a product: an empty field inherits. */
export function LayerField({ view, field, stored, inherited, typed, fieldErrors }: LayerFieldProps) {
  const t = messages(view);
  const value = typed?.[field] ?? textOf(field, stored[field], view.language);
  const source = inherited.sources[field];
  const inheritedText = shownValue(view, field, inherited.values[field]);
  const hint = t.inherits(inheritedText, t[INHERITS_FROM[source === 'shop' ? 'organization' : source]]);
  const name = productFields[field].wire;
  const kind = kindOf(field);
  const label = t.fields[name];
  if (kind !== 'lines' && kind !== 'flag') {
    return <Field {...{ name, label, hint, value, fieldErrors }} />;
  }
  const yesOrNo = [
    { value: '', label: t.inherit(inheritedText) },
    { value: 'yes', label: t.yes },
    { value: 'no', label: t.no },
  ];
  return (
    <Labeled
      {...{ name, label }}
      hint={kind === 'lines' ? <span class="clip">{hint}</span> : hint}
      error={fieldErrors[name]}
      control={(attributes) =>
        kind === 'lines' ? (
          <textarea {...attributes} rows={5} dir="auto">
            {value}
          </textarea>
        ) : (
          <select {...attributes}>
            <Options options={yesOrNo} value={value} />
          </select>
        )
      }
    />
  );
}
