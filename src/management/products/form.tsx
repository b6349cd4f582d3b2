import { type ProductField, productFields } from '../../catalog/fields';
import type { ProductValues, ResolvedProduct } from '../../inventory/service';
import { Decision } from '../ui/confirm';
import { ErrorSummary, Field, Form, Labeled, Options } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { kindOf, seenName, shownValue, type TypedFields, textOf } from './fields';
import { messages } from './messages';

const INHERITS_FROM = { catalog: 'fromCatalog', organization: 'fromOrganization', default: 'fromDefault' } as const;

interface FieldsFormProps {
  view: View;
  action: string;
  /** Where "cancel" goes. */
  back: string;
  fields: readonly ProductField[];
  /** The layer's stored values. */
  stored: ProductValues;
  /** The values that the reader last saw, for fields that were changed since. */
  seen?: ProductValues;
  /** The inherited values, which apply where the layer has none. */
  inherited: ResolvedProduct;
  typed?: TypedFields;
  fieldErrors?: FieldErrors;
}

/** Form for one layer of a product's values: an empty field inherits. */
export function FieldsForm({ view, action, back, fields, seen, fieldErrors = {}, ...layer }: FieldsFormProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      <p class="quiet">{t.editLead}</p>
      <Form view={view} action={action} class="panel wide">
        {fields.map((field) => (
          <>
            <input
              type="hidden"
              name={seenName(field)}
              value={JSON.stringify({ ...layer.stored, ...seen }[field] ?? null)}
            />
            <LayerField {...{ view, field, fieldErrors, ...layer }} />
          </>
        ))}
        <Decision view={view} act={shared.common.save} back={back} isHarmless />
      </Form>
    </>
  );
}

interface LayerFieldProps extends Pick<FieldsFormProps, 'view' | 'stored' | 'inherited' | 'typed'> {
  field: ProductField;
  fieldErrors: FieldErrors;
}

function LayerField({ view, field, stored, inherited, typed, fieldErrors }: LayerFieldProps) {
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
